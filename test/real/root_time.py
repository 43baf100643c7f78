#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the duration of the root of a recorded call tree with a clock that knows nothing
of tracing.

    root_time.py SCRATCH PROGRAM ARGS     prints `main / wall time: RATIO`, the median of three

What is recorded is this script, as a launcher (it has no sites, hence --force): it starts
the program and measures from there to its end, so that neither the recorder's start nor its
writing of the file is part of the wall time.
"""

import json
import os
import statistics
import subprocess
import sys
import time


def launch(clock, command):
    start = time.monotonic_ns()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    wall = time.monotonic_ns() - start
    with open(clock, "w", encoding="utf-8") as out:
        print(wall, file=out)
    return status


def ratio(scratch, command):
    clock, data = scratch + ".clock", scratch + ".data"
    subprocess.run(["nophook", "record", "-p", "function_graph", "--force", "-o", data, "--",
                    sys.executable, __file__, "--launch", clock, *command], check=True)
    top = subprocess.run(["nophook", "report", "--top=1000", "--json", data], check=True, capture_output=True, text=True)
    root = next(row for row in map(json.loads, top.stdout.splitlines()) if row["function"] == "main")
    with open(clock, encoding="utf-8") as text:
        wall_ns = int(text.read())
    os.unlink(data)
    print(f"main {root['total_ns'] / 1e6:.1f} ms, wall time {wall_ns / 1e6:.1f} ms")
    return root["total_ns"] / wall_ns


if __name__ == "__main__":
    if sys.argv[1] == "--launch":
        sys.exit(launch(sys.argv[2], sys.argv[3:]))
    print(f"main / wall time: {statistics.median(ratio(sys.argv[1], sys.argv[2:]) for _ in range(3)):.4f}")
