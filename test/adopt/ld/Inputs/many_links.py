#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_links.py N COMMAND...: N links of different objects at once, each of which must have its function."""

import os
import subprocess
import sys

number, command = int(sys.argv[1]), sys.argv[2:]
for i in range(number):
    with open(f"many{i}.c", "w", encoding="utf-8") as source:
        source.write(f"int value{i}(void) {{ return {i}; }}\nint main(void) {{ return value{i}() != {i}; }}\n")
subprocess.run(["gcc", "-g", "-O1", "-fno-inline", "-fpatchable-function-entry=5", "-c", *[f"many{i}.c" for i in range(number)]], check=True)
links = [subprocess.Popen([*command, f"many{i}.o", "-o", f"many{i}"]) for i in range(number)]
assert all(link.wait() == 0 for link in links), "a link failed"
for i in range(number):
    subprocess.run([os.path.abspath(f"many{i}")], check=True)
    with open(f"many{i}", "rb") as program:
        assert b"__start_mcount_loc" in program.read(), f"many{i} has no sites"
