#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of fuzz_recording and fuzz_buffer: reader_seeds.py FOLDER FILE...

    FOLDER     its .hex: what a fuzzer has found, as it was
    NAME.buf   what a traced process has left: the parts of its files that are not 0, with their
               places (buffer_check.cpp)
"""

import pathlib
import struct
import sys

GAP = 64  # so many 0s part two pieces


def parts(data):
    data += bytes(-len(data) % 8)
    at = 0
    while at < len(data):
        if not any(data[at:at + 8]):
            at += 8
            continue
        end = data.find(bytes(GAP), at)
        end = len(data) if end < 0 else (end + 7) // 8 * 8
        yield at, data[at:end]
        at = end


def of_buffer(path):
    for number, suffix in enumerate([".buf", ".maps", ".prof"]):
        file = path.with_suffix(suffix)
        content = file.read_bytes() if file.exists() else b""
        pieces = list(parts(content))
        if content and (not pieces or pieces[-1][0] + len(pieces[-1][1]) < len(content)):
            pieces.append((len(content) // 8 * 8 - 8, bytes(8)))  # its size
        for offset, part in pieces:
            yield struct.pack("<4sIII", b"NPFZ", number, offset // 8, len(part)) + part


def main():
    folder, *files = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(exist_ok=True)
    for path in files:
        if path.is_dir():
            for found in sorted(path.glob("*.hex")):
                lines = [line.partition("#")[0] for line in found.read_text(encoding="utf-8").splitlines()]
                (folder / found.name).write_bytes(bytes.fromhex("".join(lines)))
        else:
            (folder / path.name).write_bytes(b"".join(of_buffer(path)))


main()
