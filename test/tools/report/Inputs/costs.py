#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""costs.py NOPHOOK DATA: what `report --by` says of functions, threads and modules equals what the events of the recording
say, and percentiles are within one percent of those of all durations, sorted."""

import collections
import json
import math
import subprocess
import sys

FIELDS = "self,self%,total,hits,avg,p50,p90,p99,max"
ROUNDING_NS = 2


def json_lines(*command):
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def exact(durations, part):
    return sorted(durations)[max(math.ceil(part * len(durations)), 1) - 1]


def expect(what, said, true, relative=0.0, each=ROUNDING_NS):
    if abs(said - true) > relative * true + each:
        sys.exit(f"{what}: {said} is said, {true} is true")


def main():
    nophook, data = sys.argv[1:]
    hits, own, durations = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    threads, totals, depth = collections.Counter(), collections.Counter(), collections.Counter()
    for event in json_lines(nophook, "report", "--json", data):
        name, begins, ends = event["function"], event["kind"] in ("entry", "call"), event["kind"] in ("exit", "call")
        place = (event["tid"], name)
        if begins:
            hits[name] += 1
            threads[f"{event['comm']}-{event['tid']}"] += 1
            depth[place] += 1
        if ends:
            depth[place] -= 1
            own[name] += event["self_ns"]
            durations[name].append(event["duration_ns"])
            if not depth[place]:
                totals[name] += event["duration_ns"]
    rows = json_lines(nophook, "report", "--by", "function", "--fields", FIELDS, "--json", data)
    if {row["function"] for row in rows} != set(hits) or len(rows) != len(hits) or len(rows) < 3:
        sys.exit(f"functions: {rows}")
    for row in rows:
        name = row["function"]
        all_of_it = durations[name]
        each = ROUNDING_NS * len(all_of_it)
        expect(f"{name}: hits", row["hits"], hits[name], each=0)
        expect(f"{name}: self", row["self_ns"], own[name], each=each)
        expect(f"{name}: self %", row["self_percent"], 100 * own[name] / sum(own.values()), each=1)
        expect(f"{name}: total", row["total_ns"], totals[name], each=each)
        expect(f"{name}: average", row["average_ns"], sum(all_of_it) / len(all_of_it))
        expect(f"{name}: max", row["max_ns"], max(all_of_it))
        for part, key in ((0.5, "p50_ns"), (0.9, "p90_ns"), (0.99, "p99_ns")):
            expect(f"{name}: {key}", row[key], exact(all_of_it, part), 0.01)
    said = {row["thread"]: row["hits"] for row in json_lines(nophook, "report", "--by", "thread", "--json", data)}
    if said != dict(threads) or len(said) < 2:
        sys.exit(f"threads: {said}, not {threads}")
    by_module = json_lines(nophook, "report", "--by", "module", "--json", data)
    if sum(row["hits"] for row in by_module) != sum(hits.values()) or len(by_module) != 2:
        sys.exit(f"modules: {by_module}")
    order = [row["max_ns"] for row in json_lines(nophook, "report", "--by", "function", "--sort", "max", "--json", data)]
    if order != sorted(order, reverse=True):
        sys.exit(f"sorted by max: {order}")


main()
