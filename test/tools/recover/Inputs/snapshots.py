#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the buffer of a running flight recorder N times. The program calls a, b, c, a, b, c, ...

    snapshots.py NOPHOOK RUNTIME N PROGRAM

What a copy has left out is whole sub-buffers, since the writer overtakes the reader: so the order
breaks only between two of them, which hold some 4060 calls each. One may be the one that was being
written when it was copied, and have less.
"""

import json
import os
import subprocess
import sys
import time

NEXT = {"a": "b", "b": "c", "c": "a"}


def is_whole(run):
    """Whether so many calls fill sub-buffers; some have a few words of other kinds."""
    subbufs = round(run / 4060)
    return subbufs >= 1 and abs(run - 4060 * subbufs) <= 30 * subbufs


def main():
    nophook, runtime, times, program = sys.argv[1:]
    settings = "current_tracer=function set_ftrace_filter=a,b,c buffer_size_kb=1024 buffer_mode=overwrite"
    child = subprocess.Popen([program], env=dict(os.environ, NOPHOOK=settings, LD_PRELOAD=runtime))
    try:
        overwritten = [0]
        for _ in range(int(times)):
            while True:
                stat = subprocess.run([nophook, "stat", "--json", str(child.pid)], capture_output=True, text=True, check=False)
                rings = json.loads(stat.stdout)["rings"] if stat.returncode == 0 else []
                if rings and rings[0]["overwritten"] > overwritten[-1]:
                    break
                time.sleep(0.01)
            overwritten.append(rings[0]["overwritten"])
            path = os.path.join(os.environ["XDG_RUNTIME_DIR"], "data")
            subprocess.run([nophook, "recover", "-o", path, str(child.pid)], check=True, capture_output=True)
            report = subprocess.run([nophook, "report", "--json", path], check=True, capture_output=True, text=True)
            if report.stderr:
                sys.exit(report.stderr)
            calls = [line["function"] for line in map(json.loads, report.stdout.splitlines()) if "function" in line]
            runs = [1]
            for one, other in zip(calls, calls[1:]):
                if NEXT[one] != other:
                    runs.append(0)
                runs[-1] += 1
            if len(calls) < 4000 or sum(not is_whole(run) for run in runs[:-1]) > 1:
                sys.exit(f"{len(calls)} calls, in order so many: {runs}")
            if child.poll() is not None:
                sys.exit("the program has ended")
    finally:
        child.kill()
        child.wait()


main()
