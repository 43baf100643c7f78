#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""move_bound.py FILE FIELD COPY: a copy of FILE in which field FIELD of the note (include/nophook/site.h) leads 4 bytes further."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
at = data.index(b"Nophook\0") + 8 + 8 * int(sys.argv[2])
struct.pack_into("<q", data, at, struct.unpack_from("<q", data, at)[0] + 4)
with open(sys.argv[3], "wb") as file:
    file.write(data)
