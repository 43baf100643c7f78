# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints which functions of an object have a site, by name: sites.py OBJDUMP [--demangle] A.o

A FileCheck on the disassembly of many functions hides the claim behind addresses.
"""

import re
import subprocess
import sys

name = None
found = []
command = [sys.argv[1], "-d", "--no-show-raw-insn", *sys.argv[2:]]
for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
    if start := re.fullmatch(r"[0-9a-f]+ <(.+)>:", line):
        name = start[1]
    elif name and (instruction := re.match(r"\s+[0-9a-f]+:\s+(.*)", line)):
        if re.fullmatch(r"nopl\s+0x8\(%rax,%rax\)", instruction[1]):
            found.append(name)
        if instruction[1] != "endbr64":
            name = None
print(" ".join(["sites:", *sorted(found)]))
