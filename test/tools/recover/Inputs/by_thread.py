#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each of N threads made the calls of threads.c, in their order and nothing else.

    by_thread.py EVENTS.json N
"""

import collections
import json
import sys

CALLS = ["entry in_thread", "call in_thread_inner", "call in_thread_inner", "exit in_thread"]
threads = collections.defaultdict(list)
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in map(json.loads, lines):
        threads[line["tid"]].append(f"{line['kind']} {line.get('function')}")
wrong = [tid for tid, calls in threads.items() if calls != CALLS * (len(calls) // 4)]
if wrong or sum(map(len, threads.values())) != 4 * int(sys.argv[2]):
    sys.exit(f"{len(wrong)} threads are wrong, of {len(threads)}: {[(tid, threads[tid]) for tid in wrong[:3]]}")
