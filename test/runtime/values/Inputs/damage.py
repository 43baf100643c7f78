#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of a program in which a few words of its prototypes are something else."""

import random
import shutil
import struct
import subprocess
import sys


def section(path, wanted):
    for line in subprocess.run(["readelf", "-WS", path], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.replace("[ ", "[").split()
        if len(words) > 6 and words[1] == wanted:
            return int(words[4], 16), int(words[5], 16)
    sys.exit(f"{path}: no section {wanted}")


def main():
    program, copies, seed, *command = sys.argv[1:]
    rng = random.Random(int(seed))
    at, size = section(program, "__ftrace_proto")
    data = open(program, "rb").read()
    for i in range(int(copies)):
        damaged = bytearray(data)
        for _ in range(rng.choice((1, 3, 20))):
            value = rng.choice((0, 1, 0xFFFFFFFF, 0x7FFFFFFF, rng.getrandbits(32), rng.getrandbits(8) << rng.choice((0, 8, 16, 24))))
            struct.pack_into("<I", damaged, at + 4 * rng.randrange(size // 4), value)
        path = f"{program}.damaged"
        with open(path, "wb") as out:
            out.write(damaged)
        shutil.copymode(program, path)
        result = subprocess.run([*command, path], capture_output=True, text=True, timeout=600, check=False)
        if result.returncode:
            sys.exit(f"copy {i} of seed {seed}: status {result.returncode}: {result.stderr}")


main()
