#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the symbol table of the last object in an archive a byte longer than whole symbols are."""

import struct
import sys

SHT_SYMTAB = 2
path = sys.argv[1]
with open(path, "rb") as file:
    data = bytearray(file.read())
start = data.rindex(b"\x7fELF")
table, count = struct.unpack_from("<Q", data, start + 40)[0], struct.unpack_from("<H", data, start + 60)[0]
for at in range(start + table, start + table + 64 * count, 64):
    if struct.unpack_from("<I", data, at + 4)[0] == SHT_SYMTAB:
        size = struct.unpack_from("<Q", data, at + 32)[0]
        struct.pack_into("<Q", data, at + 32, size + 1)
with open(path, "wb") as file:
    file.write(data)
