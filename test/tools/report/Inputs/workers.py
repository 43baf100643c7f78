#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""workers.py NOPHOOK DATA PAIRS DAMAGED CUT: each command prints on all processors what it prints on one. Writes DAMAGED and
CUT from DATA."""

import os
import subprocess
import sys

NOTHING = ["--by", "function", "--where", "recursive.n > 1000"]  # no call: an error
REPORTS = [
    ["--top"],
    ["--by", "function", "--fields", "self,total,hits,avg,p50,p99,max", "--sort", "p99"],
    ["--by", "thread"],
    ["--by", "module", "--sort", "total"],
    ["--by", "file", "--json"],
    ["--by", "function", "--function", "recursive"],
    ["--by", "function", "--notrace", "leaf", "--depth", "3"],
    ["--by", "function", "--min-duration", "1us"],
    ["--by", "function", "--time", "+0.001,"],
    ["--by", "thread", "--function", "leaf", "--function", "nowhere"],
    ["--by", "function", "--where", "recursive.n == 4"],
    ["--by", "module", "--where", "leaf.return != 0"],
    ["--by", "function", "--where", "recursive.return > 2", "--where", "recursive.n >= 2"],
    NOTHING,
    ["--where", "recursive.return == 1", "--head", "5000"],
]
OF_PAIRS = [["--top"], ["--by", "module"], ["--by", "function", "--function", "leaf"]]
LATENCY = [["recursive", "--slowest", "50"], ["recursive", "--json"], ["leaf", "--where", "recursive.n == 3"],
           ["leaf", "--to", "in_library", "--number", "3"]]


def both(command):
    """On one processor, and on all."""
    one = min(os.sched_getaffinity(0))
    return [subprocess.run(command, capture_output=True, check=False, preexec_fn=limit)
            for limit in (lambda: os.sched_setaffinity(0, {one}), None)]


def main():
    nophook, data, pairs, damaged, cut = sys.argv[1:]
    with open(data, "rb") as file:
        whole = file.read()
    flipped = bytearray(whole)
    for part in (3, 5, 7):
        flipped[len(whole) * part // 10] ^= 0x40
    for path, content in ((damaged, flipped), (cut, whole[:len(whole) * 3 // 4])):
        with open(path, "wb") as file:
            file.write(content)
    commands = [[nophook, "report", *options, path] for path in (data, damaged, cut) for options in REPORTS]
    commands += [[nophook, "report", *options, pairs] for options in OF_PAIRS]
    commands += [[nophook, "latency", *options, path] for path in (data, damaged) for options in LATENCY]
    commands += [[nophook, "graph", "--min-percent", "0", *options, path] for path in (data, damaged, pairs)
                 for options in ([], ["leaf", "--callers"])]
    commands += [[nophook, "diff", data, damaged], [nophook, "diff", "--where", "leaf.return == 1", data, damaged]]
    for command in commands:
        one, all_ = both(command)
        if (one.returncode, one.stdout, one.stderr) != (all_.returncode, all_.stdout, all_.stderr):
            sys.exit(f"{command}: {one} on one processor, {all_} on all")
        if command[2:-1] == NOTHING:
            wanted = (1,)
        else:
            wanted = (0,) if damaged not in command and cut not in command else (0, 1)
        if all_.returncode not in wanted or not all_.stdout:
            sys.exit(f"{command}: {all_}")


main()
