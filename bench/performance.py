#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/performance.md and its pictures from what `./do bench --peers --json report.json` has measured.

    performance.py report.json DOCS COMMIT
    performance.py --opening DOCS       makes the page's opening again, from the tables that the page has
"""

import html
import json
import pathlib
import sys

from common import Line
from decisions import better_peers, page_of, rows
from opening import with_opening
from table import HEAD as COLUMNS
from table import cells, number

PAGE = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
<!-- Written by bench/performance.py: change that, and measure again (the opening: --opening docs). -->
# What tracing costs
## The machine
`./do bench --peers --json report.json` measured this page, and `bench/performance.py report.json docs COMMIT` wrote it.

| | |
|---|---|
{machine}
| commit | {commit} |
| budgets | {met} met, {missed} missed |

## Method
- All that is compared takes turns in one run: each round runs each tool once, every other round backwards (but a reader
  always in front of `cat`). A cell is the median of `n` samples, beside the least and the greatest.
- A call's cost is its time above the same call without the tool, compiled by the same compiler.
- A ratio is the median of the rounds' ratios where both are measured in each round, and that of two medians where not;
  "best" is that of the fastest rounds, which other load disturbs least.
  Nanoseconds of another machine or another hour say little.
- The floor of an event is a read of the time-stamp counter. "One event" measures it in a loop of nothing else; beside the peers it is what two
  reads add to a call, which the processor overlaps with the call.
- In the calls beside the peers, a single measured thread is bound to one CPU and has real-time priority, if the system
  allows it. So is the thread in which a stall is measured. While one site is toggled, the thread that does it is bound to
  the first CPU and the threads that call the function to the last one. Other groups are not bound. The thread that changes 50,000 sites has
  real-time priority, if the system allows it: beside 1,000 threads that compute, a thread without it waits 1.5 s whenever it has lost its CPU.
- What a tool has kept is counted after each run: a run in which an event is missing is not shown. Of XRay and LTTng-UST, the first run of "a call" is
  counted by their own readers, and the others by their size; LTTng-UST is asked for its losses each time. A profiler or a counter keeps no events.
- Tools that write at the end (XRay) get buffers for everything; their writing is in "whole command" only.
- Memory is looked at while the program waits after its last call, its buffers still mapped. Each tool has the buffers with
  which it keeps all events. Of pages that processes share, the sum of all processes counts each once.
- A uprobe "on our NOP" is shown only if the bytes of the site say that the kernel has replaced its breakpoint by a call.
- XRay reads the time-stamp counter only if it learns the counter's frequency from the system; otherwise it calls
  `clock_gettime()`. It says so on standard error.

{pictures}
{tables}
## Where a peer is better, and why
Its median is below nine tenths of our least one in the same group. What each tool keeps is not the same: the reason says it.

{better_list}

## Missed budgets
{missed_list}
"""
PICTURES = {"peers: a call (": "calls", "peers: whole command": "commands", "peers: bytes of an event": "bytes"}
WIDTH, LABEL, ROW = 860, 400, 26
BUSY = ": the machine was not idle"
GAP = 3  # a bar that is longer than the next one by this factor would leave nothing of the others


def line_of(record):
    return Line(**{name: record[name] for name in Line.__dataclass_fields__})


def machine_rows(machine):
    """Reports of earlier versions have the first three alone."""
    known = [("processor", f"{machine['cpu']}, {machine['cores']} cores"), ("kernel", machine["kernel"]),
             ("load before", f"{machine['load_before']:.1f}{BUSY * (machine['load_before'] > 0.5)}")]
    if "versions" in machine:
        known += [("memory", f"{machine['memory_mib']:,} MiB"), ("hypervisor", machine["hypervisor"]),
                  ("frequency governor", machine["governor"]), ("C library", machine["libc"]),
                  *machine["versions"].items()]
    return "\n".join(row(pair) for pair in known)


def longest_whole(lines):
    """The greatest number whose bar is drawn whole: of the longest third, all above the first great gap are cut."""
    values = sorted(line.median for line in lines)
    longest = values[max(len(values) * 2 // 3 - 1, 0):]
    return next((low for low, high in zip(longest, longest[1:]) if high > GAP * low > 0), values[-1])


def cut_mark(x, y):
    """Two white strokes through a bar: it goes on."""
    return "".join(f'<path d="M{x + shift:.1f} {y + 20}l8 -22" stroke="#ffffff" stroke-width="3"/>' for shift in (0, 8))


def picture(title, lines):
    """Bars, ours in colour, each with its number. The longest one that is not cut fills the width."""
    longest = longest_whole(lines)
    rows = []
    for number, line in enumerate(sorted(lines, key=lambda line: line.median)):
        y = 34 + number * ROW
        width = max(1.0, (WIDTH - LABEL - 90) * min(line.median / longest, 1))
        mark = cut_mark(LABEL + width - 40, y) if line.median > longest else ""
        colour = "#1f77b4" if line.what.startswith("nophook") else "#999999"
        rows.append(f'<text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{html.escape(line.what)}</text>'
                    f'<rect x="{LABEL}" y="{y}" width="{width:.1f}" height="18" fill="{colour}"/>{mark}'
                    f'<text x="{LABEL + width + 6:.1f}" y="{y + 14}">{line.median:,.1f} {line.unit}</text>')
    height = 44 + len(rows) * ROW
    return ('<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n'
            f'<text x="8" y="20" font-weight="bold">{html.escape(title)}</text>\n' + "\n".join(rows) + "\n</svg>\n")


def pictures_of(groups, images):
    shown = []
    for group, lines in groups.items():
        name = next((name for start, name in PICTURES.items() if group.startswith(start)), None)
        measured = [line for line in lines if line.samples]
        if name and measured:
            title = group.removeprefix("peers: ")
            (images / f"performance-{name}.svg").write_text(picture(title, measured), encoding="utf-8")
            shown.append(f"![{title}](images/performance-{name}.svg)\n")
    return "\n".join(shown)


def row(texts):
    return "| " + " | ".join(text.strip().replace("|", "\\|") for text in texts) + " |"


def table_of(group, lines):
    notes = [f"- {line.what}: {line.note}" for line in lines if line.note]
    return "\n".join([f"## {group[0].upper()}{group[1:]}", row(COLUMNS), "|---|--:|--:|--:|--:|--:|--:|---|---|",
                      *(row(cells(line)) for line in lines), "", *notes, *[""] * bool(notes)])


def linked(text):
    """From the page of decisions to this one."""
    return text.replace("](", "](decisions/").replace("decisions/../", "")


def better_list(groups, docs):
    reasons = rows(docs, "better")
    shown = []
    for peer, ours in better_peers(groups):
        why = next((why for key, why in reasons.items() if all(part in f"{peer.group}: {peer.what}" for part in key.split(" … "))), "")
        shown.append(f"- {peer.group.removeprefix('peers: ')}: {peer.what} {number(peer.median)} {peer.unit}, {ours.what} "
                     f"{number(ours.median)} {ours.unit}. {linked(why) or 'no reason is known'}")
    return "\n".join(shown) or "Nowhere."


def main():
    if sys.argv[1] == "--opening":
        page = pathlib.Path(sys.argv[2]) / "performance.md"
        page.write_text(with_opening(page.read_text(encoding="utf-8")), encoding="utf-8")
        return
    report, docs, commit = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    data = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
    lines = [line_of(record) for record in data["lines"]]
    groups = {}
    for line in lines:
        groups.setdefault(line.group, []).append(line)
    known = rows(docs, "missed")
    missed = [line for line in lines if line.met is False]
    text = PAGE.format(
        machine=machine_rows(data["machine"]), commit=commit, met=sum(line.met is True for line in lines), missed=len(missed),
        pictures=pictures_of(groups, docs / "images"),
        tables="\n".join(table_of(group, members) for group, members in groups.items()),
        better_list=better_list(groups, docs),
        missed_list="\n".join(f"- {line.group}: {line.what}: {linked(page_of(line, known) or 'no decision page yet')}" for line in missed)
        or "None.")
    (docs / "performance.md").write_text(with_opening(text), encoding="utf-8")


main()
