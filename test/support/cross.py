#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles for another CPU, and puts a script that runs the program into the program's place.

    cross.py RUNNER -- COMPILER ARGS... -o PROGRAM
"""

import os
import shlex
import subprocess
import sys


def main():
    runner, separator, *command = sys.argv[1:]
    if separator != "--":
        sys.exit(__doc__)
    if {"-c", "-S", "-E", "-shared"}.isdisjoint(command):
        at = command.index("-o") + 1
        script = os.path.abspath(command[at])
        program = command[at] = script + ".program"
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {runner} {shlex.quote(program)} "$@"\n')
        os.chmod(script, 0o755)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
