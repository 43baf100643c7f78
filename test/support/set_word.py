#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies an ELF file with another value in the 32-bit variable that a symbol names.

    set_word.py FILE SYMBOL VALUE RESULT
"""

import struct
import subprocess
import sys

import elf


def main():
    path, symbol, value, result = sys.argv[1:]
    lines = subprocess.run(["llvm-nm", path], capture_output=True, text=True, check=True).stdout.splitlines()
    address = next(int(line.split()[0], 16) for line in lines if line.endswith(" " + symbol))
    data = bytearray(elf.Elf(path).data)
    phoff, = struct.unpack_from("<Q", data, 32)
    phnum, = struct.unpack_from("<H", data, 56)
    for i in range(phnum):
        kind, _, offset, start, _, filled = struct.unpack_from("<IIQQQQ", data, phoff + 56 * i)
        if kind == elf.PT_LOAD and start <= address < start + filled:
            struct.pack_into("<I", data, offset + address - start, int(value))
            break
    else:
        sys.exit(f"set_word.py: {symbol} is in no segment")
    with open(result, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
