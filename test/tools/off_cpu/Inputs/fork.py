# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the calls of sleeps() in `report --json` (stdin): two in the parent, one in the child."""

import json
import sys

events = [json.loads(line) for line in sys.stdin]
parent = events[0]["pid"]
calls = [event for event in events if event["kind"] == "exit" and event["function"] == "sleeps"]
least = [25000000, 500000], [5000000]  # half of what they sleep: a virtual CPU may be stolen while a timer runs
for is_child in (False, True):
    own = [event for event in calls if (event["pid"] != parent) == is_child]
    assert len(own) == len(least[is_child]), calls
    for event, ns in zip(own, least[is_child]):
        assert ns <= event["off_cpu_ns"] <= event["duration_ns"], event
    whole = sum(event["duration_ns"] for event in events if event["kind"] == "off_cpu" and (event["pid"] != parent) == is_child and event["depth"] > 1)
    assert whole >= sum(least[is_child]), (is_child, whole)
