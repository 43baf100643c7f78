#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that `report --sort COLUMN` puts the rows of a profile in the order of that column, and
leaves none out.

    sorted.py NOPHOOK PROFILE
"""

import json
import subprocess
import sys

KEYS = {"time": "total_ns", "hit": "hits", "avg": "average_us", "s^2": "variance_us2", "self": "self_ns"}
orders = {}
for column in [*KEYS, "function"]:
    text = subprocess.run([sys.argv[1], "report", "--json", "--sort", column, sys.argv[2]],
                          check=True, capture_output=True, text=True).stdout
    rows = orders[column] = [json.loads(line) for line in text.splitlines()]
    values = [row[KEYS.get(column, "function")] for row in rows]
    if values != sorted(values, reverse=column != "function"):
        sys.exit(f"by {column}: {values}")
names = {column: [row["function"] for row in rows] for column, rows in orders.items()}
if any(sorted(rows) != names["function"] for rows in names.values()) or len(names["function"]) < 6:
    sys.exit(f"not the same functions: {names}")
