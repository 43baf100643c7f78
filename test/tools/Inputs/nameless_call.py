# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nameless_call.py FROM TO SLOT: a copy in which the JUMP_SLOT relocation of SLOT has a symbol that the file lacks."""

import struct
import sys

source, target, slot = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(source, "rb") as file:
    image = bytearray(file.read())
R_X86_64_JUMP_SLOT = 7
for at in range(0, len(image) - 16, 8):
    where, info = struct.unpack_from("<QQ", image, at)
    if where == slot and info & 0xFFFFFFFF == R_X86_64_JUMP_SLOT:
        struct.pack_into("<Q", image, at + 8, 0xFFFFFFFF << 32 | R_X86_64_JUMP_SLOT)
        break
else:
    sys.exit(f"{source}: no call through {slot:#x}")
with open(target, "wb") as file:
    file.write(image)
