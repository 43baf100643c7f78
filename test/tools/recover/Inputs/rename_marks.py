#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rename_marks.py FOLDER NUMBER: every mark in the buffers becomes an event of that kind (nophook/event_kinds.h)."""

import glob
import os
import struct
import sys

ID = 39  # its shift in an event word; the kind is above it
CONTROL, MARK, ID_BITS = 6, 5, 22


def parts(file):
    """Where data is: most of a buffer is a hole."""
    end = 0
    while True:
        try:
            start = os.lseek(file, end, os.SEEK_DATA)
        except OSError:
            return
        end = os.lseek(file, start, os.SEEK_HOLE)
        yield start, end


folder, number = sys.argv[1], int(sys.argv[2])
for path in glob.glob(folder + "/*.buf"):
    file = os.open(path, os.O_RDWR)
    for start, end in parts(file):
        data = os.pread(file, end - start, start)
        for at in range(0, len(data) - 7, 8):
            (word,) = struct.unpack_from("<Q", data, at)
            if word >> ID == CONTROL << ID_BITS | MARK:
                os.pwrite(file, struct.pack("<Q", word ^ (MARK ^ number) << ID), start + at)
