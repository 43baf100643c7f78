#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rename_marks.py FOLDER NUMBER: every mark in the buffers becomes an event of that kind (nophook/event_kinds.h)."""

import glob
import struct
import sys

KIND, ID = 61, 39  # shifts in an event word
CONTROL, MARK, ID_BITS = 6, 5, 22

folder, number = sys.argv[1], int(sys.argv[2])
for path in glob.glob(folder + "/*.buf"):
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        for at in range(0, len(data) - 7, 8):
            (word,) = struct.unpack_from("<Q", data, at)
            if word >> ID == CONTROL << ID_BITS | MARK:
                word ^= (MARK ^ number) << ID
                struct.pack_into("<Q", data, at, word)
        file.seek(0)
        file.write(data)
