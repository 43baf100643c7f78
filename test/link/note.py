# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a linked file's site table and descriptors the way that the contract asks of a reader.

    note.py FILE            one line for each site: its function, its descriptor
    note.py --count FILE    only how many (for files without symbols)

Starts at the program headers (include/nophook/site.h), applies the relocations that the
loader would, and checks what must hold: each table lies in one segment, each site is a 5-byte
NOP, no function is there twice, each descriptor belongs to one site. Written apart from the
runtime's and the tools' readers, so that it can disagree with them.
"""

import struct
import sys

PT_LOAD, PT_DYNAMIC, PT_NOTE = 1, 2, 4
DT_RELA, DT_RELASZ = 7, 8
R_X86_64_RELATIVE = 8
HOW = {0: "entry-only", 1: "through", 2: "copy"}
ENDBR64 = bytes.fromhex("f30f1efa")
NOPS = (bytes.fromhex("0f1f440008"), bytes.fromhex("0f1f440000"))


class File:
    def __init__(self, path):
        self.data = bytearray(open(path, "rb").read())
        assert self.data[:5] == b"\x7fELF\x02", "no 64-bit ELF file"
        phoff, = self.unpack("<Q", 32)
        count, = self.unpack("<H", 56)
        self.headers = [self.unpack("<IIQQQQQQ", phoff + 56 * i) for i in range(count)]
        self.relocate()

    def unpack(self, form, offset):
        return struct.unpack_from(form, self.data, offset)

    def segments(self, kind):
        """(file offset, address, bytes in the file)"""
        return [(h[2], h[3], h[5]) for h in self.headers if h[0] == kind]

    def segment_of(self, address):
        for segment in self.segments(PT_LOAD):
            if segment[1] <= address < segment[1] + segment[2]:
                return segment
        return None

    def at(self, address):
        segment = self.segment_of(address)
        assert segment, f"{address:#x} is in no segment"
        return segment[0] + address - segment[1]

    def relocate(self):
        """Acts as the loader at base 0: only relative relocations touch the table."""
        dynamic = {}
        for offset, _, size in self.segments(PT_DYNAMIC):
            for i in range(offset, offset + size, 16):
                tag, value = self.unpack("<QQ", i)
                dynamic.setdefault(tag, value)
        if DT_RELA in dynamic:
            start = self.at(dynamic[DT_RELA])
            for i in range(start, start + dynamic[DT_RELASZ], 24):
                place, info, addend = self.unpack("<QQq", i)
                if info & 0xFFFFFFFF == R_X86_64_RELATIVE:
                    struct.pack_into("<Q", self.data, self.at(place), addend)

    def note(self):
        """Addresses of the bounds, four and those of distances, or nothing."""
        for offset, address, size in self.segments(PT_NOTE):
            at = offset
            while at < offset + size:
                name_bytes, desc_bytes, kind = self.unpack("<III", at)
                name = bytes(self.data[at + 12 : at + 12 + name_bytes])
                desc = at + 12 + (name_bytes + 3) // 4 * 4
                if (name, kind) == (b"Nophook\0", 1):
                    assert desc_bytes == 80
                    fields = self.unpack("<10q", desc)
                    places = [address + desc - offset + 8 * i + f for i, f in enumerate(fields)]
                    return places[:4] + places[8:]
                at = desc + (desc_bytes + 3) // 4 * 4
        return None

    def table(self, start, stop, entry_bytes):
        """Addresses of the entries; none unless the bounds are such that a reader accepts them."""
        if start >= stop or (stop - start) % entry_bytes:
            return []
        segment = self.segment_of(start)
        if not segment or stop > segment[1] + segment[2]:
            return []
        return range(start, stop, entry_bytes)

    def site_of(self, entry):
        """Of an entry with a distance, which leads to the function's start."""
        distance, size = self.unpack("<iI", self.at(entry))
        start = entry + distance
        code = self.at(start)
        assert size > 5, f"{size} bytes of a function"
        return start + 4 * (bytes(self.data[code : code + 4]) == ENDBR64)

    def function_names(self):
        shoff, = self.unpack("<Q", 40)
        count, = self.unpack("<H", 60)
        sections = [self.unpack("<IIQQQQIIQQ", shoff + 64 * i) for i in range(count)] if shoff else []
        names = {}
        for _, kind, _, _, offset, size, link, *_ in sections:
            for i in range(offset, offset + size, 24) if kind == 2 else []:
                name, info, _, _, value, _ = self.unpack("<IBBHQQ", i)
                if info & 15 == 2:
                    begin = sections[link][4] + name
                    end = self.data.index(0, begin)
                    names.setdefault(value, self.data[begin:end].decode())
        return names


def main():
    file = File(sys.argv[-1])
    bounds = file.note()
    if not bounds:
        print("no note")
        return
    sites = [file.unpack("<Q", file.at(e))[0] for e in file.table(bounds[0], bounds[1], 8)]
    assert bounds[0] % 8 == 0 or not sites, "not aligned"
    sites += [file.site_of(e) for e in file.table(bounds[4], bounds[5], 8)]
    assert len(set(sites)) == len(sites), "a function twice"
    descriptors = {}
    for entry in file.table(bounds[2], bounds[3], 16):
        pc, size, call, _ = file.unpack("<iIII", file.at(entry))
        assert call >> 16 == 2 and size > 5, (hex(call), size)
        assert entry + pc not in descriptors, "a descriptor twice"
        descriptors[entry + pc] = (size, f"{HOW[call & 3]} {(call >> 6 & 0x3FF) * 8}")
    print(f"{len(sites)} sites, {len(descriptors)} descriptors")
    names = file.function_names()
    lines = []
    for site in sites:
        code = file.at(site)
        assert bytes(file.data[code : code + 5]) in NOPS, f"no NOP at {site:#x}"
        start = site - 4 if bytes(file.data[code - 4 : code]) == ENDBR64 else site
        size, call = descriptors.pop(start, (0, "no descriptor"))
        lines.append(f"{names.get(start, '?')}: {call}")
    assert not descriptors, f"descriptors without a site: {descriptors}"
    if sys.argv[1] != "--count":
        print("\n".join(sorted(lines)))


main()
