#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the buffer of a running flight recorder until N copies have more than a sub-buffer's calls.
The program calls a, b, c, a, b, c, ...

    snapshots.py NOPHOOK RUNTIME N PROGRAM

A copy ends where its newest sub-buffer did when it was copied, and begins where the writer has
overtaken the reader, at latest: between them not one call is missing.
"""

import json
import os
import subprocess
import sys
import time

SUBBUF_CALLS = 4060  # that fill a sub-buffer
NEXT = {"a": "b", "b": "c", "c": "a"}


def main():
    nophook, runtime, times, program = sys.argv[1:]
    settings = "current_tracer=function set_ftrace_filter=a,b,c buffer_size_kb=1024 buffer_mode=overwrite"
    child = subprocess.Popen([program], env=dict(os.environ, NOPHOOK=settings, LD_PRELOAD=runtime))
    try:
        overwritten = [0]
        copies = 0
        end = time.monotonic() + 120
        while copies < int(times):
            while True:
                if time.monotonic() > end:
                    sys.exit(f"after two minutes {copies} copies; nophook stat says: {stat.stdout}{stat.stderr}")
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
            breaks = [i for i, pair in enumerate(zip(calls, calls[1:])) if NEXT[pair[0]] != pair[1]]
            if breaks:
                sys.exit(f"of {len(calls)} calls, these are not followed by the next: {breaks}")
            copies += len(calls) > SUBBUF_CALLS  # a slow reader is overtaken and gets less
            if child.poll() is not None:
                sys.exit("the program has ended")
    finally:
        child.kill()
        child.wait()


main()
