# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the times off the CPU in `report --json` (stdin) with those that the program measured: sums.py TRUTH."""

import collections
import json
import pathlib
import sys

truth = dict(line.split() for line in pathlib.Path(sys.argv[1]).read_text().splitlines())
events = [json.loads(line) for line in sys.stdin]
of_thread = collections.defaultdict(list)
for event in events:
    of_thread[event["tid"]].append(event)
main = next(event["pid"] for event in events)
assert len(of_thread) == 2, sorted(of_thread)
for tid, steps in of_thread.items():
    name = "main" if tid == main else "second"
    whole = next(step for step in steps if step["kind"] == "exit" and step["function"] == "works")
    intervals = [step for step in steps if step["kind"] == "off_cpu" and step["depth"] >= 1]
    slept = [step for step in steps if step["kind"] == "exit" and step["function"] == "sleeps"]
    assert len(slept) == 50 and all(2000000 <= step["off_cpu_ns"] <= step["duration_ns"] for step in slept), slept
    assert len(intervals) >= 50, len(intervals)
    # The calls of works() in the program lie around ours.
    difference = int(truth[name]) - whole["off_cpu_ns"]
    assert -2000 <= difference / len(intervals) <= 2000, (name, truth[name], whole["off_cpu_ns"], len(intervals))
    within = sum(step.get("off_cpu_ns", 0) for step in steps if step["kind"] == "exit" and step["function"] in ("sleeps", "computes"))
    assert within <= whole["off_cpu_ns"], (within, whole["off_cpu_ns"])
