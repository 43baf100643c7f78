#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""window.py NOPHOOK DATA: with the same filters, the nodes of `graph` add up to the rows of `report --by function`."""

import collections
import json
import subprocess
import sys

ROUNDING_NS = 2  # tolerance of each node


def rows(*command):
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def main():
    nophook, data = sys.argv[1:]
    events = rows(nophook, "report", "--json", data)
    times = sorted(event["time_ns"] for event in events)
    tid = events[-1]["tid"]

    def window(begin, end):
        return ["--time", ",".join(f"{times[int(len(times) * part)] // 1000 / 1e6:.6f}" for part in (begin, end))]

    for options in ([], window(0.3, 0.6), window(0.45, 0.5), ["--time", "+0.02,"], ["--tid", str(tid)],
                    ["--tid", str(tid), *window(0.2, 0.8)], ["--where", "inner.n == 3"], ["--where", "outer.return == 10"],
                    ["--where", "inner.return == 5", *window(0.1, 0.7)]):
        hits, own, nodes = collections.Counter(), collections.Counter(), collections.Counter()
        for node in rows(nophook, "graph", "--json", *options, data):
            hits[node["function"]] += node["calls"]
            own[node["function"]] += node["self_ns"]
            nodes[node["function"]] += 1
        costs = rows(nophook, "report", "--by", "function", "--json", *options, data)
        if not costs or {row["function"] for row in costs} != set(hits) or any(
                hits[row["function"]] != row["hits"]
                or abs(own[row["function"]] - row["self_ns"]) > ROUNDING_NS * (1 + nodes[row["function"]]) for row in costs):
            sys.exit(f"{options}: the graph has {hits} and {own}, the report {costs}")


main()
