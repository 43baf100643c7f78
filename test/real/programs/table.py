#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the last long runs of the real programs have found into docs/reliability.md.

    table.py RESULTS DOCUMENT      RESULTS: the folder to which `./do test --real` writes NAME.json (build/real/results)

The table is between two comments of the document. A result that a shorter or a failed run would have left is not there:
modes.py writes one only if all four modes have passed. A program that RESULTS has nothing of keeps its line, with its day and commit.
"""

import json
import pathlib
import re
import sys

BEGIN, END = "<!-- programs: written by test/real/programs/table.py -->", "<!-- end of programs -->"
MODES = ["plain_s", "instrumented_s", "graph_s", "toggled_s"]
# The reasons for which modes.py leaves programs out of the check of nesting, by its names: footnotes of the column.
LEFT_OUT = {
    "fibers": "Stacks lie side by side in a thread, so nothing is checked ([limits](limits.md))",
    "depths": "Depths are not compared: a line does not name its stack, and longjmp leaves several in a thread",
    "detached": "Threads that never end are inside calls when their process exits, so only first threads must end outside of calls",
    "exits": "Processes end by `_exit` or exec inside calls. Open calls are allowed if the innermost one is a call of a function that ends so, by its name (`exits` in the program's description)",
    "jumps": "Fork children jump out of their parent's calls: a call at depth 0 may begin a tree of its own there",
    "lines": "The report has more than 4 million lines. Only the first 4 million are checked, and no call that is open at the end is looked for",
    "lost": "Calls of a thread that has lost events are not checked from there on",
}
SIGNS = dict(zip(LEFT_OUT, "¹²³⁴⁵⁶⁷"))


def short_number(number):
    return f"{number / 1e9:.2f} G" if number >= 1e9 else f"{number / 1e6:.1f} M" if number >= 1e6 else f"{number / 1e3:.1f} k"


def seconds(number):
    return f"{number:.1f}" if number < 100 else f"{number:.0f}"


def nesting(left_out):
    """none, part or whole, with the signs of the footnotes."""
    word = "none" if "fibers" in left_out else "part" if left_out else "whole"
    return " ".join([word, *(SIGNS[key] for key in LEFT_OUT if key in left_out)])


def row(result):
    """One line; the tests of a program that counts none are named below the table."""
    program = f"{result['source'] or result['name']} {result['version']}".strip()
    if result["compiler"] != "clang":
        program += f", by {result['compiler']}"
    cells = [program, str(result["tests"] or "–"), " / ".join(seconds(result[mode]) for mode in MODES), short_number(result["events"]), str(result.get("lost", 0)),
             nesting(result["nesting"]), f"{result['processes']} / {result['threads']}", f"{result['changes']} in {result['runs']}", f"{result['date']}, {result['commit']}"]
    return "| " + " | ".join(cells) + " |"


def merged(old, new):
    """Lines by their first word, in its order: the new ones, and of the old ones those that no new one replaces."""
    def key(line):
        return re.split(r"[ ,:]", line.lstrip("|- "))[0]
    return sorted({**{key(line): line for line in old}, **{key(line): line for line in new}}.values(), key=key)


def main():
    results = [json.loads(path.read_text()) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json"))]
    results = [result for result in results if result["long"] and "nesting" in result]
    document = pathlib.Path(sys.argv[2])
    text = document.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    old, _, tail = rest.partition(END)
    old_rows = [line for line in old.splitlines() if line.startswith("| ") and not line.startswith("| program,")]
    notes = [f"{SIGNS[key]} {text}." for key, text in LEFT_OUT.items()]
    lines = ["| program, version | tests | seconds: plain / instrumented / graph / toggled | events | lost | nesting checked | processes / threads | changes in runs | passed |",
             "|---|---|---|---|---|---|---|---|---|", *merged(old_rows, map(row, results)), "", "\n\n".join(notes), ""]
    lines += merged([line for line in old.splitlines() if line.startswith("- ")],
                    [f"- {result['source'] or result['name']}: {result['what']}" for result in results])
    document.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
