#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an object with what recordmcount has made of it: unchanged.py READELF BEFORE AFTER

All sections of BEFORE must be in AFTER, in the same places with the same headers and bytes; groups may have
got members at their end, relocation sections may name symbols by other numbers but must name the same ones.
The additions of AFTER must be called __mcount_loc, __ftrace_args, __ftrace_proto or .rela of these, or be the texts
and groups of prototypes. For --keep-calls: no site.
"""

import struct
import subprocess
import sys

TABLES = ("__mcount_loc", "__ftrace_args", "__ftrace_proto")
OURS = {*TABLES, *(".rela" + table for table in TABLES), "__ftrace_str", ".group"}


def sections(path):
    data = open(path, "rb").read()
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + 64 * i) for i in range(count)]
    for name, kind, flags, address, offset, size, link, info, align, entry in headers:
        start = headers[names][4] + name
        text = data[start:data.index(0, start)].decode()
        yield text, kind, (flags, address, align, entry), link, info, b"" if kind == 8 else data[offset:offset + size]


def symbols(readelf, path):
    """The names in relocations and groups, in words."""
    out = subprocess.run([readelf, "-W", "-r", "-g", path], capture_output=True, text=True, check=True).stdout
    return [line.split(maxsplit=2)[1:] for line in out.splitlines() if "R_" in line and "__mcount" not in line]


def main():
    readelf, *_, before, after = sys.argv[1:]
    old, new = list(sections(before)), list(sections(after))
    names = {section[0] for section in new[len(old):]}
    assert names and names <= OURS, f"new sections: {names}"
    for was, now in zip(old, new):
        name, kind, header, link, info, data = was
        if name in (".shstrtab", ".strtab", ""):
            assert now[5].startswith(data), f"{name}: names are lost"
            continue
        assert (name, kind, header, link) == now[:4], f"{name}: {was[:4]} has become {now[:4]}"
        if kind == 17:  # a group
            assert now[5].startswith(data), f"{name}: members have changed"
        elif kind == 2:  # symbols: new ones are section symbols and weak, hidden records
            old_ones = [data[k:k + 24] for k in range(0, len(data), 24)]
            new_ones = [now[5][k:k + 24] for k in range(0, len(now[5]), 24)]
            assert [s for s in new_ones if s in old_ones] == old_ones, "symbols are lost"
            assert all(s[4] == 3 or (s[4] == 0x21 and s[5] == 2) for s in new_ones if s not in old_ones), "a new symbol"
        elif kind not in (4, 0x6fff4c03):  # relocations and LLVM's address-significance have numbers of symbols
            assert now[5] == data, f"{name}: contents have changed"
    was, now = symbols(readelf, before), symbols(readelf, after)
    ours = sum(len(s[5]) // 24 for s in new[len(old):] if s[1] == 4)
    assert len(now) == len(was) + ours, f"{len(was)} relocations have become {len(now)}"
    assert [w[1].split()[1:] for w in now[:len(was)]] == [w[1].split()[1:] for w in was], "relocations name others"


main()
