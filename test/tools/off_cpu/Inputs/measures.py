# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares sums by each reader with those of the calls in `report --json`: measures.py PREFIX, before .json, .off, .on, .all, .graph, .folded, .awake."""

import collections
import json
import pathlib
import sys


def lines(suffix):
    return [json.loads(line) for line in pathlib.Path(sys.argv[1] + suffix).read_text().splitlines()]


def close(one, other):
    return abs(one - other) <= 2000  # ticks as nanoseconds, rounded for each call


own, whole, awake = (collections.Counter() for _ in range(3))
stack = []
for step in lines(".json"):
    if step["kind"] in ("exit", "call"):
        off = step.get("off_cpu_ns", 0)
        whole[step["function"]] += off
        awake[step["function"]] += step["duration_ns"] - off
    if step["kind"] == "entry":
        stack.append(step["function"])
    elif step["kind"] == "exit":
        stack.pop()
    elif step["kind"] == "off_cpu":
        own[stack[-1]] += step["duration_ns"]
assert whole["sleeps"] >= 20000000 and own["sleeps"] >= 20000000, (whole, own)

off, on, everything = ({row["function"]: row for row in lines(suffix)} for suffix in (".off", ".on", ".all"))
for name in ("sleeps", "computes", "works", "main"):
    assert close(off[name]["total_ns"], whole[name]), (name, off[name], whole)
    assert close(off[name]["self_ns"], own[name]), (name, off[name], own)
    assert close(on[name]["total_ns"] + off[name]["total_ns"], everything[name]["total_ns"]), name
    assert close(on[name]["self_ns"] + off[name]["self_ns"], everything[name]["self_ns"]), name
graph = {row["function"]: row for row in lines(".graph")}
assert close(graph["sleeps"]["total_ns"], whole["sleeps"]) and close(graph["works"]["total_ns"], whole["works"]), graph
folded = dict(line.rsplit(" ", 1) for line in pathlib.Path(sys.argv[1] + ".folded").read_text().splitlines())
sleeps = next(int(value) for key, value in folded.items() if key.endswith("main;works;sleeps"))
assert close(sleeps, own["sleeps"]), folded
short = sum(step["duration_ns"] for step in lines(".awake") if step["kind"] == "exit" and step["function"] == "sleeps")
assert close(short, awake["sleeps"]), (short, awake)
