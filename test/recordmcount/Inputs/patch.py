#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages an ELF object: patch.py IN OUT FIELD=VALUE...

FIELD is a field of the ELF header (e_shnum, e_shoff, e_machine, e_type, class, data), of a section header
(NAME.sh_size and so on, see SHDR), a 4-byte word of a section's contents (NAME[INDEX]), or `size`, to which the file is cut. VALUE is a number, or NAME.sh_… of another section.
"""

import struct
import sys

EHDR = {"class": (4, "B"), "data": (5, "B"), "e_type": (16, "<H"), "e_machine": (18, "<H"),
        "e_shoff": (40, "<Q"), "e_shnum": (60, "<H"), "e_shstrndx": (62, "<H")}
SHDR = {"sh_name": (0, "<I"), "sh_type": (4, "<I"), "sh_flags": (8, "<Q"), "sh_offset": (24, "<Q"),
        "sh_size": (32, "<Q"), "sh_link": (40, "<I"), "sh_info": (44, "<I"),
        "sh_addralign": (48, "<Q"), "sh_entsize": (56, "<Q")}


def main():
    data = bytearray(open(sys.argv[1], "rb").read())
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)

    def header(index, field):
        offset, form = SHDR[field]
        return table + 64 * index + offset, form

    def get(index, field):
        at, form = header(index, field)
        return struct.unpack_from(form, data, at)[0]

    strings = get(names, "sh_offset")
    index_of = {}
    for i in range(count):
        start = strings + get(i, "sh_name")
        index_of.setdefault(data[start:data.index(0, start)].decode(), i)

    size = len(data)
    for change in sys.argv[3:]:
        field, value = change.split("=")
        section, _, part = value.rpartition(".")
        value = get(index_of[section], part) if part in SHDR else int(value, 0)
        section, _, part = field.rpartition(".")
        if field == "size":
            size = value
            continue
        if field.endswith("]"):
            section, index = field[:-1].split("[")
            at, form = get(index_of[section], "sh_offset") + 4 * int(index), "<I"
        elif part in SHDR:
            at, form = header(index_of[section], part)
        else:
            at, form = EHDR[field]
        struct.pack_into(form, data, at, value)
    open(sys.argv[2], "wb").write(data[:size])


main()
