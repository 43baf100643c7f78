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


def short_number(number):
    return f"{number / 1e9:.2f} G" if number >= 1e9 else f"{number / 1e6:.1f} M" if number >= 1e6 else f"{number / 1e3:.1f} k"


def seconds(number):
    return f"{number:.1f}" if number < 100 else f"{number:.0f}"


def row(result):
    """One line; the tests of a program that counts none are named below the table."""
    program = f"{result['source'] or result['name']} {result['version']}".strip()
    if result["compiler"] != "clang":
        program += f", by {result['compiler']}"
    cells = [program, str(result["tests"] or "–"), " / ".join(seconds(result[mode]) for mode in MODES), short_number(result["events"]), str(result.get("lost", 0)),
             f"{result['processes']} / {result['threads']}", f"{result['changes']} in {result['runs']}", f"{result['date']}, {result['commit']}"]
    return "| " + " | ".join(cells) + " |"


def merged(old, new):
    """Lines by their first word, in its order: the new ones, and of the old ones those that no new one replaces."""
    def key(line):
        return re.split(r"[ ,:]", line.lstrip("|- "))[0]
    return sorted({**{key(line): line for line in old}, **{key(line): line for line in new}}.values(), key=key)


def main():
    results = [json.loads(path.read_text()) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json"))]
    results = [result for result in results if result["long"]]
    document = pathlib.Path(sys.argv[2])
    text = document.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    old, _, tail = rest.partition(END)
    old_rows = [line for line in old.splitlines() if line.startswith("| ") and not line.startswith("| program,")]
    lines = ["| program, version | tests | seconds: plain / instrumented / graph / toggled | events | lost | processes / threads | changes in runs | passed |",
             "|---|---|---|---|---|---|---|---|", *merged(old_rows, map(row, results)), ""]
    lines += merged([line for line in old.splitlines() if line.startswith("- ")],
                    [f"- {result['source'] or result['name']}: {result['what']}" for result in results])
    document.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
