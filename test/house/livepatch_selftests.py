#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether each row of docs/reference/livepatch-selftests.md has its case, which is called, and each
case of test/runtime/livepatch/kernel_*.c has its row.

    livepatch_selftests.py ROOT [TABLE]
"""

import pathlib
import re
import sys

NO_CASE = "–"


def rows(text):
    for line in text.splitlines():
        if line.startswith("| test-"):
            yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


# The cases that main() calls: they are called by no other function.
def cases(path):
    text = path.read_text(encoding="utf-8")
    main = text[text.rindex("int main("):]
    return set(re.findall(r"^  (\w+)\((?:\w+\[1\])?\);$", main, re.M))


def problems(root, text):
    files = {path.name: cases(path) for path in (root / "test/runtime/livepatch").glob("kernel_*.c")}
    shown = {name: set() for name in files}
    for script, scenario, file, case in rows(text):
        if case == NO_CASE:
            name = re.fullmatch(r"test-(\w+)\.sh", script)[1]
            if f"- **{name}**:" not in text:
                yield f"{scenario}: no case, and no reason"
        elif case not in files.get(file, set()):
            yield f"{scenario}: {file} does not call {case}"
        else:
            shown[file].add(case)
    for file, found in sorted(files.items()):
        for case in sorted(found - shown[file]):
            yield f"no row for {case} of {file}"


def main():
    root = pathlib.Path(sys.argv[1])
    table = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "docs/reference/livepatch-selftests.md"
    found = list(problems(root, table.read_text(encoding="utf-8")))
    print("\n".join(found or ["livepatch_selftests: every row holds"]))
    return bool(found)


sys.exit(main())
