#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sums.py CALLS TEXT: whether what `nophook record` has said in TEXT adds up to the number in CALLS."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    calls = int(file.read())
with open(sys.argv[2], encoding="utf-8") as file:
    text = file.read()
found = re.search(r"nophook: (\d+) events of .* (\d+) events? lost(?:, (\d+) overwritten)?", text)
total = sum(int(number or 0) for number in found.groups()) if found else -1
sys.exit(f"{calls} calls, but: {text}" if total != calls else 0)
