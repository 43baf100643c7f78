# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of noticing time off the CPU (the setting off_cpu).

A pair compares one word of the thread in any case, so the setting adds nothing to it while nothing switches. A switch adds a reading of
the thread's CPU clock, which is a system call, and 24 bytes of the buffer. The switches are handovers between two threads of one CPU.
"""

from common import Line, differences, run_with_buffer

GROUP = "time off the CPU (nanoseconds)"
BUDGETS = {"pair": 0.5, "switch": 1300}
WHAT = {"pair": "a pair of function_graph, while nothing switches", "switch": "a switch of threads, CPU time"}


def measure(setting):
    samples = run_with_buffer([setting.program("bench_off_cpu"), str(setting.rounds(301, 31))])
    lines = []
    for kind, budget in BUDGETS.items():
        without = samples[f"{kind}/graph"]
        lines.append(Line(GROUP, f"{WHAT[kind]}, traced", "ns", differences(without, samples[f"{kind}/untraced"])))
        line = Line(GROUP, f"{WHAT[kind]}, more with off_cpu=1", "ns", differences(samples[f"{kind}/off_cpu"], without))
        line.within(f"<= {budget} ns", line.median, budget)
        lines.append(line)
    return lines
