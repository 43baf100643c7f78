#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a program that prints its own tree of calls (selftree.h), and compares the two: for each
thread the same calls begin and end in the same order, at the same depths. A call that was open at
the end of a thread may have no end.

    same_tree.py NOPHOOK PROGRAM CALLS      CALLS: how many there are at least, so that nothing
                                            passes by being empty
"""

import collections
import json
import subprocess
import sys


def own_tree(text):
    threads = collections.defaultdict(list)
    for line in text.splitlines():
        tid, what, depth, name = line.split(maxsplit=3)
        threads[int(tid)].append((what, int(depth), name))
    return threads


def recorded_tree(text):
    threads = collections.defaultdict(list)
    inherited = collections.Counter()  # by thread: the calls of a fork's parent that are open; the program's tree lacks them
    for event in map(json.loads, text.splitlines()):
        tid = event["tid"]
        if event.get("inherited") and event["kind"] in ("entry", "call"):
            inherited[tid] += event["kind"] == "entry"
            continue
        if event["kind"] == "exit" and event["depth"] < inherited[tid]:
            inherited[tid] -= 1
            continue
        call = (event["depth"] - inherited[tid], event["function"])
        if event["kind"] in ("entry", "call"):
            threads[event["tid"]].append(("+", *call))
        if event["kind"] in ("exit", "call"):
            threads[event["tid"]].append(("-", *call))
    return threads


def main():
    nophook, program, calls = sys.argv[1:]
    data = program + ".data"
    run = subprocess.run([nophook, "record", "-o", data, "--", program], check=True, stdout=subprocess.PIPE, text=True)
    report = subprocess.run([nophook, "report", "--json", data], check=True, stdout=subprocess.PIPE, text=True)
    own, recorded = own_tree(run.stdout), recorded_tree(report.stdout)
    if sum(map(len, own.values())) < 2 * int(calls):
        sys.exit(f"the program has made {sum(map(len, own.values())) // 2} calls only")
    for tid in sorted(own.keys() | recorded.keys()):
        for at, (mine, theirs) in enumerate(zip(own[tid] + [None], recorded[tid] + [None])):
            over = [line[0] for line in own[tid][at:]]
            if theirs is None and "+" not in over:
                break  # a call that is open when a thread's events end has no end (docs/reference/trace-format.md)
            if mine != theirs:
                sys.exit(f"thread {tid}, line {at}: the program has {mine}, the recording {theirs};\n"
                         f"before it: {own[tid][max(0, at - 8):at]}\n"
                         f"own: {own[tid][at:at + 8]}\nrecorded: {recorded[tid][at:at + 8]}")


main()
