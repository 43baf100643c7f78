# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a call that sample, ratelimit or auto_notrace leaves out.

The budgets are multiples of a callback that does nothing, which each such call takes: a function that auto_notrace leaves out adds a
load, a sample the addition to a counter of all threads, which is locked.
"""

from common import Line, differences, run_with_buffer

GROUP = "a call that a rate leaves out (nanoseconds, above the untraced call)"
KINDS = [  # samples, what, budget in callbacks
    ("muted", "auto_notrace, until the site is a NOP again", 1.3),
    ("out", "auto_notrace, from then on", 0.1),
    ("sample", "sample: one of 1,000,000", 2.5),
    ("ratelimit", "ratelimit: one in a second; it reads the counter", None),
]


def measure(setting):
    samples = run_with_buffer([setting.program("bench_rates"), str(setting.rounds(301, 101))])
    base = samples["untraced"]
    empty = differences(samples["empty"], base)
    lines = [Line(GROUP, "a callback that does nothing (the floor)", "ns", empty)]
    for tracer, name in (("function", "function"), ("graph", "function_graph")):
        for kind, what, budget in KINDS:
            line = Line(GROUP, f"{name}, {what}", "ns", differences(samples[f"{tracer}/{kind}"], base))
            line.against("a callback", empty, best_reference=min(samples["empty"]) - min(base),
                         best=min(samples[f"{tracer}/{kind}"]) - min(base))
            if budget and tracer == "function":
                line.within(f"<= {budget} x a callback", line.ratio, budget)
            lines.append(line)
    return lines
