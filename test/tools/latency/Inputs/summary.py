#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py NOPHOOK DATA JSON FUNCTION: what `latency --json FUNCTION` has written equals what the events of the recording
say: the durations of the function's calls, and in the longest the calls and times of each function."""

import collections
import json
import math
import subprocess
import sys

ROUNDING_NS = 2


def close(a, b, each=ROUNDING_NS, relative=0.0):
    return abs(a - b) <= each + relative * b


def demand(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def main():
    nophook, data, written, function = sys.argv[1:]
    with open(written, encoding="utf-8") as file:
        (said,) = [json.loads(line) for line in file]
    text = subprocess.run([nophook, "report", "--json", data], check=True, capture_output=True, text=True).stdout
    events = [json.loads(line) for line in text.splitlines()]
    durations = sorted(e["duration_ns"] for e in events if e.get("function") == function and "duration_ns" in e)
    demand(said["intervals"] == len(durations) >= 5, "intervals", said, durations)
    demand(close(said["longest_ns"], durations[-1]), "longest", said, durations)
    demand(close(said["average_ns"], sum(durations) / len(durations)), "average", said, durations)
    for key, part in (("p50_ns", 0.5), ("p90_ns", 0.9), ("p99_ns", 0.99)):
        true = durations[math.ceil(part * len(durations)) - 1]
        demand(close(said[key], true, relative=0.01), key, said, durations)
    demand(sum(row["count"] for row in said["histogram"]) == len(durations), "histogram", said)
    for row in said["histogram"]:
        true = sum(row["from_ns"] <= duration < row["to_ns"] for duration in durations)
        near = sum(close(duration, end) for duration in durations for end in (row["from_ns"], row["to_ns"]))
        demand(abs(row["count"] - true) <= near, "row", row, durations)
    calls, own = collections.Counter(), collections.Counter()
    for event in events:
        end = event["time_ns"] + (event["duration_ns"] if event["kind"] == "call" else 0)
        if event["time_ns"] < said["from_ns"] - ROUNDING_NS or end > said["to_ns"] + ROUNDING_NS or "function" not in event:
            continue
        calls[event["function"]] += event["kind"] in ("entry", "call")
        own[event["function"]] += event.get("self_ns", 0)
    demand({row["function"]: row["calls"] for row in said["functions"]} == dict(calls), "functions", said, calls)
    for row in said["functions"]:
        demand(close(row["self_ns"], own[row["function"]], each=ROUNDING_NS * row["calls"]), "self", row, own)
    demand(said["traced_calls"] == sum(calls.values()), "traced_calls", said, calls)
    demand(said["path"][0]["function"] == function and len(said["path"]) > 1, "path", said)
    totals = [row["total_ns"] for row in said["path"]]
    demand(totals == sorted(totals, reverse=True), "totals", said)


main()
