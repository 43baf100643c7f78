# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one table, for people, and the same as JSON."""

import dataclasses
import json

from decisions import page_of

HEAD = ("what", "measured", "min - max", "n", "floor or peer", "ratio", "best", "budget", "")


def number(value):
    if value is None:
        return ""
    if value == int(value) and abs(value) >= 1000:
        return f"{value:,.0f}"
    size = abs(value)
    digits = 0 if size >= 100 or value == 0 else 1 if size >= 10 else 2
    return f"{value:.{digits}f}"


def times(ratio):
    """Three digits where the third one is what matters."""
    return "" if ratio is None else f"{ratio:.3f} x" if 0.9 < ratio < 1.1 else f"{ratio:.2f} x"


def cells(line):
    spread = f"{number(min(line.samples))} - {number(max(line.samples))}" if len(line.samples) > 1 else ""
    reference = f"{line.reference_name} {number(line.reference)}" if line.reference_name else ""
    verdict = {True: "met", False: "MISSED", None: ""}[line.met]
    return ("  " + line.what, f"{number(line.median)} {line.unit}".strip(), spread,
            str(len(line.samples)) if spread else "", reference, times(line.ratio), times(line.best_ratio), line.budget, verdict)


def print_table(lines, head_note, missed_pages):
    """`missed_pages`: what docs/decisions/README.md says of budgets that are missed."""
    rows = [HEAD] + [cells(line) for line in lines]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]

    def show(row):
        padded = [row[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(row[1:7], widths[1:7])]
        padded += [row[7].ljust(widths[7]), row[8]]
        print("  ".join(padded).rstrip())

    print(head_note)
    print("Medians of rounds that take turns; `best` is the ratio of the fastest rounds, without noise.\n")
    show(HEAD)
    group = None
    for line, row in zip(lines, rows[1:]):
        if line.group != group:
            group = line.group
            print(f"\n{group}")
        show(row)
        if line.note:
            print(f"      {line.note}")
        if line.met is False:
            print(f"      missed: {page_of(line, missed_pages) or 'no page of docs/decisions explains it yet'}")
    missed = sum(line.met is False for line in lines)
    met = sum(line.met is True for line in lines)
    print(f"\n{met} budgets met, {missed} missed")


def write_json(path, lines, machine):
    records = [dict(dataclasses.asdict(line), median=line.median,
                    min=min(line.samples, default=None), max=max(line.samples, default=None))
               for line in lines]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "machine": machine, "lines": records}, file, indent=1)
        file.write("\n")
