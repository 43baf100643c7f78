#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numbers.py JSON [COUNT]: the calls of work() have the arguments 0, 1, 2 ..., COUNT of them, or some of these."""

import json
import sys

numbers = []
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        event = json.loads(line)
        if event["kind"] in ("call", "entry") and event["function"] == "work":
            numbers.append(int(event["arguments"][0]["value"]))
# A thread's sub-buffers need not be in the file in their order: a cut may leave a gap.
if not numbers or numbers != sorted(set(numbers)):
    sys.exit(f"{len(numbers)} calls, out of order")
if len(sys.argv) > 2 and numbers != list(range(int(sys.argv[2]))):
    sys.exit(f"{len(numbers)} calls")
