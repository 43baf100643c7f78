#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The USDT probes of a file as attaching tools find them: probes.py FILE

For each probe its name, its place and its semaphore's, both as offsets in the file, and its
arguments. Read from the notes by their format alone.
"""

import struct
import sys


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    phoff, shoff = struct.unpack_from("<QQ", data, 32)
    _, _, phnum, shentsize, shnum, shstrndx = struct.unpack_from("<HHHHHH", data, 52)
    segments = [struct.unpack_from("<IIQQQQ", data, phoff + 56 * i) for i in range(phnum)]
    sections = [struct.unpack_from("<IIQQQQ", data, shoff + shentsize * i) for i in range(shnum)]

    def offset(address):
        return next(at + address - start for kind, _, at, start, _, size in segments if kind == 1 and start <= address < start + size)

    for name, _, _, _, at, size in sections:
        name_at = sections[shstrndx][4] + name
        if data[name_at:data.index(b"\0", name_at)] != b".note.stapsdt":
            continue
        end = at + size
        while at < end:
            name_bytes, bytes_, kind = struct.unpack_from("<III", data, at)
            start = at + 12 + (name_bytes + 3) // 4 * 4
            assert (name_bytes, kind, data[at + 12:at + 20]) == (8, 3, b"stapsdt\0")
            place, _, semaphore = struct.unpack_from("<QQQ", data, start)
            provider, probe, arguments, _ = data[start + 24:start + bytes_ + 1].split(b"\0", 3)
            print(f"{provider.decode()}:{probe.decode()} {offset(place)} {offset(semaphore)} {arguments.decode()}")
            at = start + (bytes_ + 3) // 4 * 4


main()
