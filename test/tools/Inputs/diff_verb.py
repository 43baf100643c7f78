#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""diff_verb.py NOPHOOK BEFORE AFTER JSON: what `diff --json --sort p99` has written has the numbers of the two reports, in the
order of its differences."""

import json
import subprocess
import sys

FIELDS = ("hits", "self_ns", "total_ns", "p99_ns")


def rows_of(nophook, path):
    text = subprocess.run([nophook, "report", "--by", "function", "--fields", "hits,self,total,p99", "--json", path], check=True,
                          capture_output=True, text=True).stdout
    return {row["function"]: row for row in map(json.loads, text.splitlines())}


def main():
    nophook, before, after, written = sys.argv[1:]
    reports = {"before": rows_of(nophook, before), "after": rows_of(nophook, after)}
    with open(written, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    if {row["function"] for row in rows} != set(reports["before"]) | set(reports["after"]) or len(rows) != 4:
        sys.exit(f"functions: {rows}")
    for row in rows:
        for field in FIELDS:
            true = {side: reports[side].get(row["function"], {field: 0})[field] for side in reports}
            true["difference"] = true["after"] - true["before"]
            if row[field] != true:
                sys.exit(f"{row['function']}: {field}: {row[field]}, not {true}")
    order = [row["p99_ns"]["difference"] for row in rows]
    if order != sorted(order, reverse=True):
        sys.exit(f"order: {order}")


main()
