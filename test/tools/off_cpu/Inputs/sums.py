# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records sums.c, and compares the times off the CPU with those that the program measures: sums.py NOPHOOK PROGRAM.

A busy machine adds to what the program measures: a thread may lose its CPU between a reading of a clock and the call beside it, and a
virtual CPU may be stolen. So one run of several must agree, and in each the times must fit into the calls.
"""

import collections
import json
import pathlib
import subprocess
import sys

RUNS = 20
ACCURACY_NS = 2000  # for each switch


def check(steps, truth):
    """Whether the times of a thread agree with `truth`, its time off the CPU in works()."""
    whole = next(step for step in steps if step["kind"] == "exit" and step["function"] == "works")
    intervals = [step for step in steps if step["kind"] == "off_cpu" and step["depth"] > whole["depth"]]
    ends = [step for step in steps if step["kind"] == "exit"]
    slept = [step for step in ends if step["function"] == "sleeps"]
    assert all(step.get("off_cpu_ns", 0) <= step["duration_ns"] for step in ends), ends
    assert len(slept) == 50 and all(step["off_cpu_ns"] > 0 for step in slept), slept
    assert len(intervals) >= 50, len(intervals)
    within = sum(step.get("off_cpu_ns", 0) for step in ends if step["depth"] == whole["depth"] + 1)
    assert within <= whole["off_cpu_ns"], (within, whole)
    return abs(truth - whole["off_cpu_ns"]) <= ACCURACY_NS * len(intervals) and all(step["off_cpu_ns"] >= 2000000 for step in slept)


def main():
    nophook, program = sys.argv[1:]
    data = program + ".data"
    agreed = set()
    for _ in range(RUNS):
        done = subprocess.run([nophook, "record", "-p", "function_graph", "--off-cpu", "-o", data, program], check=True, capture_output=True, text=True)
        truth = dict(line.split() for line in done.stdout.splitlines())
        report = subprocess.run([nophook, "report", "--json", data], check=True, capture_output=True, text=True)
        of_thread = collections.defaultdict(list)
        for line in report.stdout.splitlines():
            event = json.loads(line)
            of_thread["main" if event["tid"] == event["pid"] else "second"].append(event)
        assert sorted(of_thread) == ["main", "second"], sorted(of_thread)
        agreed |= {name for name, steps in of_thread.items() if check(steps, int(truth[name]))}
        if len(agreed) == 2:
            return
    sys.exit(f"{pathlib.Path(program).name}: in {RUNS} runs, only these threads agree once with the program: {agreed}")


if __name__ == "__main__":
    main()
