# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The opening of docs/performance.md: the numbers that a user wants, of the hundreds that the page has.

Each number is a cell of a table further down on the page, so the opening can be made again without a measurement, and a
test sees a number that is not the table's. A row whose line was not measured is left out.
"""

BEGIN = "# What tracing costs\n"
END = "## The machine\n"  # the first heading behind the opening

# Words of the opening, the first words of a heading, and the line in the table below it.
CALL = "Peers: a call (nanoseconds"
CALLS = [
    ("none: the NOP in each function", "Peers: a call while nothing is traced", "nophook: a NOP"),
    ("`hits`: how often each function is called", CALL, "nophook, hits"),
    ("`profile`: calls and times by function", CALL, "nophook, profile"),
    ("`function`: an event for each call", CALL, "nophook, function"),
    ("`function_graph`: entry and exit", CALL, "nophook, function_graph"),
    ("`function_graph`, a flight recorder, which overwrites", CALL, "nophook, function_graph, a flight recorder"),
    ("`function_graph` with three arguments and a result", "Peers: a call with three", "nophook, function_graph with arguments and result"),
]
WHOLE = [
    ("Lua runs `calls.lua`, nothing traced", "Peers: Lua while nothing is traced", "nophook: a NOP"),
    ("Lua runs `demo.lua`, each call recorded", "Peers: Lua recorded whole (whole", "nophook"),
    ("zstd, each call recorded", "Peers: zstd recorded whole (whole", "nophook"),
    ("`nophook record` of a program that ends at once", "Nophook record of a program", "nophook record"),
    ("added to a start with 50,000 sites, the runtime preloaded", "Start-up with 50,000 sites", "added: runtime preloaded, RELR"),
    ("50,000 functions switched on, later than the first time", "Patching 50,000", "enable all, later (tracing_set_tracer)"),
    ("`nophook start` on a process without the runtime", "Attach (", "nophook start, until calls are traced"),
]
GROUPS_OF_TOOLS = (CALL, "Peers: whole command, a million", "Peers: bytes of an event", "Peers: memory of the program")
TOOLS = ("nophook, function_graph", "nophook, function", "nophook, profile", "LLVM XRay, FDR", "uftrace, -pg",
         "LTTng-UST, cyg-profile-fast", "gprof", "perf uprobe (counted only)")

PAGE = """
{machine}
Nanoseconds of another machine or another hour say little: compare ratios.

{calls}{whole}{tools}## Measure it yourself
```text
./do bench --only events          # the cost of an event on this machine, beside a read of the time-stamp counter
./do bench --peers --quick        # fewer rounds, beside the other tracers that Debian has
./do bench --peers --json report.json && bench/performance.py report.json docs COMMIT
```
Nothing else should run: the head of the table says if the machine was not idle. Everything that is compared takes turns in
one run, and a ratio is the median of the rounds' own ratios. So a slow hour slows both sides. "best" is the ratio of the
fastest rounds.
`./do bench --help` lists the groups that `--only` takes. [Method](#method) explains what is counted, and
[decisions](decisions/README.md) the budgets that are missed.

"""
HEADS = {
    "calls": ("## A call", ("tracer", "a call costs", "beside"),
              "The time is that above the same call without a tracer; while nothing is traced, it is that of the whole call.\n"
              "The floor is two reads of the time-stamp counter, which each pair of an entry and an exit takes.\n\n"),
    "whole": ("## Whole programs, and what is done once", ("what", "takes", "beside"), ""),
    "tools": ("## Beside other tools", ("tool", "a call", "a call, writing the file included", "bytes on the disk", "memory"),
              "The bytes are those of an event, the memory is that of the program and of the tool's processes.\n"
              "Some peers are better somewhere: [where, and why](#where-a-peer-is-better-and-why).\n\n"),
}


def row(texts):
    return "| " + " | ".join(texts) + " |\n"


def tables_of(page):
    """The rows of each heading's tables, by the first cell."""
    tables, rows = {}, {}
    for line in page.splitlines():
        if line.startswith("## "):
            rows = tables.setdefault(line[3:], {})
        elif line.startswith("| ") and not line.startswith("| |"):
            what, *cells = line[2:-2].split(" | ")
            rows.setdefault(what, cells)
    return tables


def cells_of(tables, group, what):
    """A measured line's cells, or None."""
    return next((rows[what] for heading, rows in tables.items() if heading.startswith(group) and what in rows), None)


def section(name, rows):
    heading, columns, words = HEADS[name]
    if not rows:
        return ""
    return f"{heading}\n{row(columns)}|---|{'--:|' * (len(columns) - 1)}\n{''.join(map(row, rows))}\n{words}"


def beside(tables, lines):
    for words, group, what in lines:
        if cells := cells_of(tables, group, what):
            reference, ratio = cells[3].strip(), cells[4].strip()
            yield words, cells[0], f"{ratio} ({reference})" if ratio else ""


def of_tools(tables):
    for tool in TOOLS:
        found = [(cells_of(tables, group, tool) or [""])[0] for group in GROUPS_OF_TOOLS]
        if any(found):
            yield tool, *found


def machine_of(tables):
    facts = {what: cells[0] for what, cells in tables[END.strip("# \n")].items()}
    load = facts["load before"].replace(": the", ", so the")
    return (f"This page was measured at commit {facts['commit']}, on Linux {facts['kernel']}. The [machine](#the-machine) has this processor:\n"
            f"{facts['processor']}. The load before was {load}.\n[Budgets](#missed-budgets): {facts['budgets']}. Numbers are medians.")


def with_opening(page):
    """The page, its opening made of its tables, whatever opening it had."""
    head, _, rest = page.partition(BEGIN)
    rest = END + rest.partition(END)[2]
    tables = tables_of(rest)
    return head + BEGIN + PAGE.format(
        machine=machine_of(tables), calls=section("calls", list(beside(tables, CALLS))),
        whole=section("whole", list(beside(tables, WHOLE))), tools=section("tools", list(of_tools(tables)))) + rest
