# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of filters by name for the traced process: 1,000 names on 50,000 functions of C++."""

from common import Line, run_samples

GROUP = "filters by name (50,000 functions of C++)"
BUDGET_MS = 10


def measure(setting):
    samples = run_samples([setting.program("bench_names"), str(setting.rounds(31, 7))])
    floor = Line(GROUP, "floor: one pass over the symbols, for one name", "CPU ms", samples["pass"])
    lines = [floor]
    for name, what in (("linked", "1,000 names as linked"), ("typed", "1,000 names as shown")):
        line = Line(GROUP, what, "CPU ms", samples[name]).against("floor", samples["pass"])
        lines.append(line.within(f"<= {BUDGET_MS} ms", line.median, BUDGET_MS))
    by_glob = Line(GROUP, "a glob: each symbol is demangled", "CPU ms", samples["glob"])
    lines.append(by_glob.against("floor", samples["pass"]))
    return lines
