#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A package depends on the libc that its library needs.

    libc_version.py LIBRARY < CONTROL
"""

import re
import subprocess
import sys


def numbers(version):
    return [int(part) for part in version.split(".")]


def main():
    done = subprocess.run(["llvm-readelf", "-VW", sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True)
    needed = max(re.findall(r"GLIBC_([0-9.]+)", done.stdout), key=numbers)
    promised = re.search(r"libc6 \(>= ([0-9.]+)\)", sys.stdin.read())[1]
    if numbers(needed) != numbers(promised):
        sys.exit(f"the library needs GLIBC_{needed}, the package depends on {promised}")


main()
