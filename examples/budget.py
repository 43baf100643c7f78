#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nophook diff --json --fields hits BEFORE AFTER | budget.py PERCENT

A budget for CI: exit status 1 if a function is called more often than before, by more than PERCENT.
Calls are the same on each machine, however busy it is; times are not. For docs/ci.md.
"""

import json
import sys

over = 0
for line in sys.stdin:
    row = json.loads(line)
    before, after = row["hits"]["before"], row["hits"]["after"]
    if before and after > before * (1 + float(sys.argv[1]) / 100):
        print(f"{row['function']}: {before} calls before, {after} now")
        over += 1
print(f"{over} over the budget of {sys.argv[1]} %")
sys.exit(over > 0)
