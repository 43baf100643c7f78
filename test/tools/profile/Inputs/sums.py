#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what must hold among the times of table.c's functions, however fast or busy the machine.

    sums.py TABLE.json
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as lines:
    rows = {row["function"]: row for row in map(json.loads, lines)}
main, busy = rows["main"], rows["busy"]
ROUNDING_NS = 4
# busy waits 5 times 1000 us and 5 times 3000 us, less the microsecond that its division cuts off.
assert busy["total_ns"] >= 19_000_000, busy
assert busy["self_ns"] == busy["total_ns"], busy
assert busy["total_ns"] <= main["total_ns"], (main, busy)
# None of what busy and stack took is main's own.
called = busy["total_ns"] + rows["stack"]["total_ns"]
assert main["self_ns"] <= main["total_ns"] - called + ROUNDING_NS, (main, called)
for row in rows.values():
    assert row["self_ns"] <= row["total_ns"] + ROUNDING_NS, row
    assert abs(row["average_us"] * row["hits"] * 1000 - row["total_ns"]) <= row["hits"] + ROUNDING_NS, row
