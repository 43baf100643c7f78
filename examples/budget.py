#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nophook report --diff BEFORE --json AFTER | budget.py PERCENT

A budget for CI: exit status 1 if a function is called more often than before, by more than PERCENT. A function that was
not called before is over each budget. Calls are the same on each machine, however busy it is; times are not. For docs/ci.md.
"""

import json
import sys

rows = [json.loads(line) for line in sys.stdin]
if not rows:
    sys.exit("budget.py: there are no functions to compare")
over = 0
for row in rows:
    before, after = row["hits"]["before"], row["hits"]["after"]
    if after > before * (1 + float(sys.argv[1]) / 100):
        print(f"{row['function']}: {before} calls before, {after} now")
        over += 1
print(f"{over} over the budget of {sys.argv[1]} %")
sys.exit(over > 0)
