# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of a recursive function: 101 + 51 calls that return and one that does not, 17 pauses."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as lines:
    rows = {row["function"]: row for row in map(json.loads, lines)}
main, deep, pause = rows["main"], rows["deep"], rows["pause_a_little"]
assert deep["hits"] == 153 and pause["hits"] == 17, rows
assert 17 * 2_000_000 <= pause["total_ns"] <= main["total_ns"], rows
assert pause["total_ns"] <= deep["total_ns"] <= main["total_ns"], rows
assert deep["self_ns"] + pause["total_ns"] <= main["total_ns"], rows
assert deep["average_us"] * 1000 * deep["hits"] > 2 * deep["total_ns"], rows  # average of all calls
