#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""probes.py PROBES FILE COUNT [BEHIND]: each is where the kernel can take it, 5 or BEHIND bytes behind a NOP of five."""

import re
import sys

PROBE = re.compile(r"([pr]):nophook/([A-Za-z_][A-Za-z0-9_]{0,62}) (/[^ :]*):0x([0-9a-f]+)")
names = []
behind = int(sys.argv[4]) if len(sys.argv) > 4 else 5
with open(sys.argv[2], "rb") as file:
    data = file.read()
with open(sys.argv[1], encoding="utf-8") as probes:
    for line in probes:
        if line.startswith("#"):
            continue
        kind, name, path, offset = PROBE.fullmatch(line.rstrip("\n")).groups()
        at = int(offset, 16)
        if path != sys.argv[2] or data[at - behind:at - behind + 4] != b"\x0f\x1f\x44\x00" or name in names:
            sys.exit(f"wrong: {line}")
        names.append(name)
        print(kind, name)
if len(names) != int(sys.argv[3]):
    sys.exit(f"{len(names)} probes")
