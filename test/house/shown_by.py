#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether docs/reference/shown-by.md has a row for every setting, option and command that the
reference has, and for every test of the mount, and every test that it names is there and has the
names in it.

    shown_by.py ROOT [TABLE]
"""

import pathlib
import re
import sys

# What an option is called where it is one of `nophook record`.
OTHER_NAMES = {"func-args": "--args", "funcgraph-args": "--args"}

OF_MOUNT = "## What a shell meets"


def rows(text):
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and not line.startswith("|-"):
            yield cells


def names_of_reference(root):
    for page in ("settings.md", "trace-format.md"):
        text = (root / "docs/reference" / page).read_text(encoding="utf-8")
        if page == "trace-format.md":
            text = text[text.index("## Options"):]
        for first, *_ in rows(text):
            for name in first.replace("*", "").replace("`", "").split(","):
                name = name.strip().split(":")[0].split(" ")[0]
                if name and name not in ("name", "option", "command", "TO"):
                    yield name


def problems_of_mount(root, text):
    shown = [(what, tests.split(", ")) for what, tests in rows(text) if "/" in tests]
    for path in sorted((root / "test/tools/mount").glob("*.test")):
        path = str(path.relative_to(root / "test"))
        if not any(path in tests for _, tests in shown):
            yield f"no row for {path}"
    for what, tests in shown:
        for path in tests:
            file = root / "test" / path
            if not file.exists():
                yield f"{what}: no test {path}"
                continue
            for name in re.findall("`([^`]+)`", what):
                if name not in file.read_text(encoding="utf-8"):
                    yield f"{name}: {path} does not have it"


def problems(root, table):
    settings, _, of_mount = table.read_text(encoding="utf-8").partition(OF_MOUNT)
    yield from problems_of_mount(root, of_mount)
    shown = {cells[0].strip("`"): cells[1:] for cells in rows(settings) if "`" in cells[0]}
    for name in sorted(set(names_of_reference(root)) - set(shown)):
        yield f"no row for {name}"
    for name, (c, cxx) in shown.items():
        for path, suffix in ((c, ".c"), (cxx, ".cpp")):
            if path == "(no matter)":
                continue
            file = root / "test" / path
            if file.suffix != suffix or not file.exists():
                yield f"{name}: no test {path}"
            elif not re.search(rf"(?<![\w-])(no)?({re.escape(name)}|{OTHER_NAMES.get(name, re.escape(name))})(?![\w-])",
                               file.read_text(encoding="utf-8")):
                yield f"{name}: {path} does not have it"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(problems(root, pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "docs/reference/shown-by.md"))
    print("\n".join(found or ["shown_by: every row holds"]))
    return bool(found)


sys.exit(main())
