#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the lines of documents are short enough to be read, and the cells of README.md's tables.

    lines.py ROOT

A row of a table is one line, so a long one is a cell with a paragraph in it: that belongs below the table. Code is not
checked, nor what a program writes: behind `<!-- Written by ...` a whole page, behind `<!-- ...: written by` a table.
"""

import pathlib
import re
import sys

LONGEST = 160  # characters
WORDS = 20     # of a cell in README.md
PAGES = ("README.md", "docs/*.md", "docs/design/*.md")
EXCEPT = ("docs/seeds.md",)  # Its rows are cross-references, of which shown_by.py reads one a line.
LINK = re.compile(r"\]\([^)]*\)")


def lines_of(page):
    """(number, line) of each line that a person wrote and that is no code."""
    is_code = is_written = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("<!-- Written by"):
            return
        if line.startswith("```"):
            is_code = not is_code
        is_written = bool(line) and (is_written or re.match(r"<!-- .*: written by", line) is not None)
        if not is_code and not is_written:
            yield number, line


def problems(root, page):
    name = page.relative_to(root)
    for number, line in lines_of(page):
        if len(line) > LONGEST:
            yield f"{name}:{number}: {len(line)} characters: at most {LONGEST}"
        if str(name) == "README.md" and line.startswith("|"):
            for cell in line.strip("| ").split(" | "):
                if (count := len(LINK.sub("]", cell).split())) > WORDS:
                    yield f"{name}:{number}: a cell of {count} words: at most {WORDS}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [page for pattern in PAGES for page in sorted(root.glob(pattern)) if str(page.relative_to(root)) not in EXCEPT]
    found = [problem for page in pages for problem in problems(root, page)]
    print("\n".join(found or [f"lines: {len(pages)} pages hold"]))
    return bool(found)


sys.exit(main())
