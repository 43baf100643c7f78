# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of C callbacks, and of a million functions.

The budgets of callbacks are multiples of a call through a pointer. They were 5, 9, 25 and 3 ns on a machine where such a call
took 1.1 ns.
"""

import collections
import statistics

from common import Line, differences, run_samples

GROUP = "one callback that does nothing (nanoseconds a call, above the untraced call)"
MANY = "1,000,000 functions"
KINDS = [  # samples, what, budget in calls
    ("own", "RECURSION_SAFE, GENERAL_REGS: called directly", 4.5),
    ("regs", "the same with SAVE_REGS", None),
    ("stopped", "GENERAL_REGS: recursion is stopped", 8.2),
    ("plain", "no flags: vector registers are saved, too", 22.7),
    ("moved", "OWN_STACK: on a stack of the runtime's own", None),
    ("two", "two ops", None),
    ("probe", "fprobe: entry and exit handler", None),
]


def measure(setting):
    samples = run_samples([setting.program("bench_callbacks"), str(setting.rounds(31, 9))])
    lines = [Line(GROUP, "a call through a pointer (the floor)", "ns", samples["pointer"])]
    for kind, what, budget in KINDS:
        line = Line(GROUP, what, "ns", differences(samples[kind], samples["untraced"]))
        line.against("a call", samples["pointer"])
        if budget:
            line.within(f"<= {budget} x a call", line.ratio, budget)
        lines.append(line)
    miss = [value / 4 for value in differences(samples["misses"], samples["two"])]
    line = Line(GROUP, "one more ops that does not select the function", "ns", miss)
    line.against("a call", samples["pointer"])
    line.note = "a step in the list and a membership test; a hit is the same test"
    lines.append(line.within("<= 2.7 x a call", line.ratio, 2.7))
    return lines + many(setting)


def many(setting):
    samples = collections.defaultdict(list)
    for _ in range(setting.rounds(5, 2)):  # a process has one first time
        for name, values in run_samples([setting.program("bench_million"), "2"]).items():
            samples[name] += values
    lines = []
    for name, what, limit in (("find_all", "set '*' as a filter", 300),
                              ("find_some", "set '*a*b*' as a filter", 300),
                              ("first", "enable all, first time", None),
                              ("on", "enable all, later", None),
                              ("off", "disable all", None),
                              *((f"{change}_{count}", f"{what} all, {count:,} threads in them", None)
                                for count in (2, 16, 1000) for change, what in (("on", "enable"), ("off", "disable")))):
        line = Line(MANY, what, "ms", samples[name]).against("store as many words", samples["write_text"])
        if limit:
            line.within(f"<= {limit} ms", line.median, limit)
        lines.append(line)
    ns = statistics.median(samples["on"]) * 1e6 / 1e6
    lines[-1].note = (f"{ns:.0f} ns a site to enable, later and without threads. Of threads that run, the one that patches "
                      "has its share of the processor")
    return lines
