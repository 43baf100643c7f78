# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names and segments of an ELF file, for tests that must not trust the tools' own reader.

Written from the ELF specification with struct alone: 64-bit little-endian files, .symtab or
.dynsym, no demangling, no debug files.
"""

import bisect
import struct

SHT_SYMTAB, SHT_DYNSYM = 2, 11
STT_FUNC = 2
PT_LOAD, PF_X = 1, 1


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:5] != b"\x7fELF\x02":
            raise ValueError(f"{path}: not a 64-bit ELF file")
        (self.phoff, self.shoff) = struct.unpack_from("<QQ", self.data, 32)
        (self.phnum, _, self.shnum) = struct.unpack_from("<HHH", self.data, 56)
        self.functions = self._functions()
        self._starts = [start for start, _, _ in self.functions]

    def _sections(self):
        for i in range(self.shnum):
            yield struct.unpack_from("<IIQQQQIIQQ", self.data, self.shoff + 64 * i)

    def _functions(self):
        """Sorted (address, size, name); one name an address, the first in the table."""
        sections = list(self._sections())
        tables = [s for s in sections if s[1] == SHT_SYMTAB] or [s for s in sections if s[1] == SHT_DYNSYM]
        found = {}
        for table in tables:
            strings = sections[table[6]]
            for at in range(table[4], table[4] + table[5], 24):
                name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
                if info & 15 != STT_FUNC or section == 0:
                    continue
                begin = strings[4] + name
                found.setdefault(value, (value, size, self.data[begin:self.data.index(b"\0", begin)].decode()))
        return [found[value] for value in sorted(found)]

    def name_of(self, address):
        """The function that `address` (of the file's own address space) lies in, or None."""
        i = bisect.bisect_right(self._starts, address) - 1
        if i < 0:
            return None
        start, size, name = self.functions[i]
        return name if address < start + max(size, 1) else None

    def text_segments(self):
        """(virtual address, bytes) of each executable PT_LOAD."""
        for i in range(self.phnum):
            kind, flags, offset, vaddr, _, filesz, _, _ = struct.unpack_from("<IIQQQQQQ", self.data, self.phoff + 56 * i)
            if kind == PT_LOAD and flags & PF_X:
                yield vaddr, self.data[offset:offset + filesz]
