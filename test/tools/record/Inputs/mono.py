#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mono.py TIMES EVENTS: whether each call of work() begins between the two times that its line of TIMES names, to 10 ms."""

import json
import sys

ROOM_NS = 10_000_000  # a thread may be off its CPU between two reads of a clock

with open(sys.argv[1], encoding="utf-8") as file:
    spells = [tuple(map(int, line.split())) for line in file]
with open(sys.argv[2], encoding="utf-8") as file:
    entries = [event["time_ns"] for event in map(json.loads, file) if event["kind"] == "call"]
assert len(entries) == len(spells) == 20, (len(entries), len(spells))
for time, (before, after) in zip(entries, spells):
    assert before - ROOM_NS <= time <= after + ROOM_NS, (before, time, after)
assert entries == sorted(entries)
