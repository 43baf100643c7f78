# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What reading a recording costs: processor time for an event, and memory whatever its size."""

import os
import re
import subprocess

from common import Line, scratch, usage_of

GROUP = "nophook report (a recursive fib recorded whole)"
BUDGET_NS = 50  # 20 million events a second and core
BUDGET_MIB = 64
PROGRAM = """
#include <stdlib.h>
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int count, char **arguments) { return fib(atoi(arguments[count - 1])) == 1; }
"""


def measure(setting):
    nophook = str(setting.build / "bin" / "nophook")
    with scratch() as folder:
        (folder / "fib.c").write_text(PROGRAM)
        program, data = str(folder / "fib"), str(folder / "fib.data")
        subprocess.run([nophook, "cc", "-O1", str(folder / "fib.c"), "-o", program], check=True)
        said = subprocess.run([nophook, "record", "-o", data, "--", program, str(setting.rounds(33, 28))],
                              check=True, stderr=subprocess.PIPE, text=True).stderr
        events = int(re.search(r"(\d+) events of", said)[1])
        lines = []
        for what, options, budget in (("--top", ["--top"], BUDGET_NS), ("text", [], None),
                                      ("--json", ["--json", "--head=1000000"], None)):
            read = min(events, 1_000_000) if "--json" in options else events
            samples = [usage_of([nophook, "report", *options, data]) for _ in range(setting.rounds(7, 3))]
            line = Line(GROUP, f"{what}, an event", "ns", [1e9 * cpu / read for cpu, _ in samples])
            if budget:
                line.within(f"<= {budget} ns", line.median, budget)
            memory = Line(GROUP, f"{what}, memory", "MiB", [mib for _, mib in samples])
            memory.within(f"<= {BUDGET_MIB} MiB", max(memory.samples), BUDGET_MIB)
            lines += [line, memory]
        size = os.stat(data).st_size / (1 << 20)
    lines[0].note = f"{events / 1e6:.1f} million events, {size:.0f} MiB; an entry and an exit are two"
    lines[2].note = "a call is one line or two"
    lines[4].note = "an object is one event or two"
    return lines
