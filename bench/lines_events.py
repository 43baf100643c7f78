# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of one event, above the same loop untraced; the floor is the rdtsc it contains."""

import statistics

from common import Line, differences, run_with_buffer

VALUES_BUDGET_NS, MONO_BUDGET_NS, HITS_BUDGET_NS = 60, 90, 5
GROUP = "one event (nanoseconds a call, above the untraced call)"
KINDS = [  # samples, untraced samples, what, budget in rdtsc: a pair reads the counter twice
    ("function/leaf", "untraced/leaf", "function event", 0.9),
    ("function/fib", "untraced/fib", "function event, recursive fib", None),
    ("graph/leaf", "untraced/leaf", "function_graph entry + exit", 2.1),
    ("graph/fib", "untraced/fib", "function_graph entry + exit, recursive fib", None),
    ("graph/copy", "untraced/copy", "function_graph, 16 bytes of stack arguments copied", None),
    ("graph/entry_only", "untraced/entry_only", "function_graph, entry only (variadic)", None),
    ("function/values", "untraced/values", "function event with three arguments", None),
    ("graph/values", "untraced/values", "function_graph with three arguments and a result", None),
]
INSTANCE_KINDS = [  # samples, the top level's, what, budget in those
    ("instance/function", "function/leaf", "function event of an instance", 2.5),
    ("instance/graph", "graph/leaf", "function_graph entry + exit of an instance", 2.5),
    ("instance/overwriting", "graph/leaf", "the same, its buffer overwriting", None),
]


def measure(setting):
    rounds = str(setting.rounds(61, 31))
    read = {mode: run_with_buffer([setting.program("bench_events"), mode, rounds])
            for mode in ("between", "thread", "mono", "boot")}
    samples = read["between"]
    lines = [
        Line(GROUP, "rdtsc (the floor)", "ns", samples["rdtsc"]),
        Line(GROUP, "an untraced call (its NOP included)", "ns", samples["untraced/leaf"]),
    ]
    for mode, note in (("between", ""), ("thread", ", reader on the other core")):
        lines += lines_of(read[mode], note, budgets=mode == "between")
        lines += instance_lines(read[mode]) + profile_lines(read[mode]) if mode == "between" else []
    lines += clock_lines(read)
    lost = sum(int(samples["lost"][0]) for samples in read.values())
    lines[-1].note = f"{rounds} rounds of 300,000 calls, all kinds in turns; {lost} events lost"
    return lines


def clock_lines(read):
    """The time of an event is a read of the counter for mono, and a system call for boot."""
    lines = [Line(GROUP, "clock_gettime by a system call (the floor of trace_clock=boot)", "ns", read["boot"]["clock_gettime"])]
    for mode, floor, name in (("mono", "rdtsc", "rdtsc"), ("boot", "clock_gettime", "a system call")):
        samples = read[mode]
        for kind, what in (("function/leaf", "function event"), ("graph/leaf", "function_graph entry + exit")):
            line = Line(GROUP, f"{what}, trace_clock={mode}", "ns", differences(samples[kind], samples["untraced/leaf"]))
            line.against(name, samples[floor], best=min(samples[kind]) - min(samples["untraced/leaf"]))
            if mode == "mono" and kind == "graph/leaf":
                line.within(f"<= {MONO_BUDGET_NS} ns", line.median, MONO_BUDGET_NS)
            lines.append(line)
    return lines


def profile_lines(samples):
    lines = []
    for kind, what, budget in (("leaf", "profiled call", 2.2), ("fib", "profiled call, recursive fib", None)):
        base = samples[f"untraced/{kind}"]
        line = Line(GROUP, what, "ns", differences(samples[f"profile/{kind}"], base))
        line.against("function_graph", differences(samples[f"graph/{kind}"], base),
                     best=min(samples[f"profile/{kind}"]) - min(base))
        if budget:
            rdtsc = statistics.median(samples["rdtsc"])
            line.within(f"<= {budget} x rdtsc", line.median / rdtsc, budget)
            line.note = f"two time reads, which both need, are {2 * rdtsc / line.reference:.2f} x function_graph"
        lines.append(line)
    for kind, what in (("leaf", "counted call (hits)"), ("fib", "counted call (hits), recursive fib")):
        line = Line(GROUP, what, "ns", differences(samples[f"hits/{kind}"], samples[f"untraced/{kind}"]))
        line.against("rdtsc", samples["rdtsc"], best=min(samples[f"hits/{kind}"]) - min(samples[f"untraced/{kind}"]))
        lines.append(line.within(f"<= {HITS_BUDGET_NS} ns", line.median, HITS_BUDGET_NS) if kind == "leaf" else line)
    return lines


def instance_lines(samples):
    lines = []
    for kind, top, what, budget in INSTANCE_KINDS:
        base = samples["untraced/leaf"]
        line = Line(GROUP, what, "ns", differences(samples[kind], base))
        line.against("the top level's", differences(samples[top], base), best=min(samples[kind]) - min(base))
        lines.append(line.within(f"<= {budget} x the top level's", line.ratio, budget) if budget else line)
    return lines


def lines_of(samples, note, budgets):
    lines = []
    for kind, base, what, budget in KINDS:
        if not budgets and budget is None:
            continue
        line = Line(GROUP, what + note, "ns", differences(samples[kind], samples[base]))
        line.against("rdtsc", samples["rdtsc"], best=min(samples[kind]) - min(samples[base]))
        if budget:
            line.within(f"<= {budget} x rdtsc", line.ratio, budget)
        if kind == "graph/values" and budgets:
            floor = Line(GROUP, "the same without a tracer: two reads, and nine stores", "ns",
                         differences(samples["floor/values"], samples[base]))
            lines.append(floor.against("rdtsc", samples["rdtsc"]))
        if kind == "graph/values":
            line.within(f"<= {VALUES_BUDGET_NS} ns", line.median, VALUES_BUDGET_NS)
        lines.append(line)
    return lines
