#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of a terminal for the documents, with a command and what it prints.

    terminal.py PICTURE.svg COMMAND FUNCTIONS <OUTPUT

Times differ from run to run, so a picture is not compared to the letter: which call is the slowest may differ, too. Its
command must be COMMAND, its headings must be in the output, and each function that it shows in the file FUNCTIONS. If NOPHOOK_SCREENSHOTS names a folder, the picture is
drawn there instead, as those of the browser are.
"""

import html
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

COLUMNS, MOST_LINES = 104, 34
CHARACTER, LINE, MARGIN = 7.8, 17, 12
FONT = "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\""


def cut(line):
    return line if len(line) <= COLUMNS else line[:COLUMNS - 1] + "…"


def draw(command, output):
    """The last lines are left out where there are too many, as in a terminal that is not high enough."""
    lines = ["$ " + command, *output][:MOST_LINES]
    width, height = 2 * MARGIN + COLUMNS * CHARACTER, 2 * MARGIN + len(lines) * LINE
    rows = []
    for number, line in enumerate(lines):
        colour = "#8ae234" if number == 0 else "#9a9a9a" if line.startswith("#") else "#e6e6e6"
        rows.append(f'<text x="{MARGIN}" y="{MARGIN + 13 + number * LINE}" fill="{colour}" xml:space="preserve">{html.escape(cut(line))}</text>')
    return ("<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" {FONT}>\n'
            f'<rect width="{width:.0f}" height="{height}" rx="6" fill="#1e1e1e"/>\n' + "\n".join(rows) + "\n</svg>\n")


def lines_of(picture):
    return ["".join(text.itertext()) for text in xml.etree.ElementTree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}text")]


def faults(shown, command, output, functions):
    """Each thing that the picture shows and that is no longer true."""
    if shown[0] != "$ " + command:
        yield f"the command is {command!r}, not {shown[0]!r}"
    for line in filter(str.strip, shown[1:]):
        name = re.search(r"[\w>:~]*\w::[\w~]+", line)
        if not re.search(r"\d", line) and cut(line) not in map(cut, output):
            yield f"no such line: {line}"
        elif name and name[0] not in functions:
            yield f"no such function: {name[0]}"


def main():
    picture, command, output = pathlib.Path(sys.argv[1]), sys.argv[2], sys.stdin.read().splitlines()
    if folder := os.environ.get("NOPHOOK_SCREENSHOTS"):
        (pathlib.Path(folder) / picture.name).write_text(draw(command, output), encoding="utf-8")
        return 0
    found = list(faults(lines_of(picture), command, output, pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")))
    print(f"terminal: {picture.name}: " + ("\n".join(found) + "\nNOPHOOK_SCREENSHOTS=docs/images draws it again" if found else "the same"))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
