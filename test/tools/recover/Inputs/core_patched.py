# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In gdb, on a core file: the first bytes of other() and version(), and where those of version() lead."""

import struct

import gdb


def read(address, count):
    return bytes(gdb.selected_inferior().read_memory(address, count))


def address_of(name):
    return int(gdb.parse_and_eval(f"(unsigned long)&{name}"))


for name in ("other", "version"):
    print(f"{name}: {read(address_of(name), 5).hex(' ')}")
stub = address_of("version") + 5 + struct.unpack("<i", read(address_of("version") + 1, 4))[0]
code = read(stub, 16)
at = 1 if code[0] == 0x3e else 0  # notrack
if code[at:at + 2] == b"\xff\x25":
    print("its stub: jmp *word")
    word = stub + at + 6 + struct.unpack("<i", code[at + 2:at + 6])[0]
    target = struct.unpack("<Q", read(word, 8))[0]
    block = gdb.block_for_pc(target)
    print(f"the word: {block.function if block else hex(target)}")
else:
    print(f"its stub: {code.hex(' ')}")
