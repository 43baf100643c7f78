#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of the tables in linked files, one JSON object a line.

    table_sizes.py READELF FILE...

    {"file": "lua", "text": 193284, "mcount": 5032, "args": 10064, "proto": 27700, "str": 3523}

Sections that are not loaded (`descriptors=file`) count as well.
"""

import json
import re
import subprocess
import sys

SECTIONS = {".text": "text", "__mcount_loc": "mcount", "__ftrace_args": "args", "__ftrace_proto": "proto",
            "__ftrace_str": "str", ".debug_nophook_args": "args", ".debug_nophook_proto": "proto",
            ".debug_nophook_str": "str"}


def sizes(readelf, path):
    found = dict.fromkeys(SECTIONS.values(), 0)
    text = subprocess.run([readelf, "-S", "-W", path], capture_output=True, text=True, check=True).stdout
    for name, size in re.findall(r"^\s*\[\s*\d+\] (\S+)\s+\S+\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) ", text, re.M):
        if name in SECTIONS:
            found[SECTIONS[name]] += int(size, 16)
    return found


if __name__ == "__main__":
    for path in sys.argv[2:]:
        print(json.dumps({"file": path, **sizes(sys.argv[1], path)}))
