#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abi.py ROOT [PAGE]: whether the versions of formats in docs/abi.md are those in the code, and whether the page has
all of them; and whether the tests that the page and SECURITY.md name exist."""

import pathlib
import re
import sys

ROW = re.compile(r"^\| [^|]*`(\w+)` in `([\w./]+)` \| (\d+) \|", re.MULTILINE)
CODE = re.compile(r"(?:#define |constexpr uint32_t )(NOPHOOK_\w+_VERSION|NOPHOOK_NOTE_TYPE|k\w*(?:Recording|Unpacked|Index)Version)[ =]+(\d+)")
TEST = re.compile(r"\b[\w-]+/[\w./-]+\.(?:test|cpp|c)\b")


def main():
    root = pathlib.Path(sys.argv[1])
    page = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "docs/abi.md"
    text = page.read_text(encoding="utf-8")
    rows = {(name, file): number for name, file, number in ROW.findall(text)}
    found = []
    for header in [*root.glob("include/nophook/*.h"), *root.glob("tools/read/recording/*.h"), *root.glob("tools/show/view/*.h")]:
        for name, number in CODE.findall(header.read_text(encoding="utf-8")):
            said = rows.pop((name, str(header.relative_to(root))), None)
            if said != number:
                found.append(f"{name} is {number}, the page has {said}")
    found += [f"{file} has no {name}" for name, file in rows]
    for path in sorted(set(TEST.findall(text + (root / "SECURITY.md").read_text(encoding="utf-8")))):
        if not any((folder / path).exists() for folder in (root, root / "test")):
            found.append(f"no test {path}")
    print("\n".join(found or ["abi: the page has the versions of the code"]))
    return bool(found)


sys.exit(main())
