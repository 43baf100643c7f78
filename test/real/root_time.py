#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the duration of the root of a recorded call tree with a clock that knows nothing
of tracing (root_time.c).

    root_time.py LIBRARY SCRATCH PROGRAM ARGS     prints `main / wall time: RATIO`, the median of three
"""

import json
import os
import statistics
import subprocess
import sys


def ratio(library, scratch, command):
    clock, data = scratch + ".clock", scratch + ".data"
    env = dict(os.environ, LD_PRELOAD=library, ROOT_TIME=clock)
    open(clock, "w", encoding="utf-8").close()
    subprocess.run(["nophook", "record", "-p", "function_graph", "-o", data, "--", *command], stdout=subprocess.DEVNULL,
                   env=env, check=True)
    top = subprocess.run(["nophook", "report", "--top=1000", "--json", data], check=True, capture_output=True, text=True)
    root = next(row for row in map(json.loads, top.stdout.splitlines()) if row["function"] == "main")
    with open(clock, encoding="utf-8") as lines:
        wall_ns = int(dict(line.split() for line in lines)[os.path.basename(command[0])])
    os.unlink(data)
    print(f"main {root['total_ns'] / 1e6:.1f} ms, wall time {wall_ns / 1e6:.1f} ms")
    return root["total_ns"] / wall_ns


if __name__ == "__main__":
    print(f"main / wall time: {statistics.median(ratio(*sys.argv[1:3], sys.argv[3:]) for _ in range(3)):.4f}")
