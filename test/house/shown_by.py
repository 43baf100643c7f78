#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether docs/reference/shown-by.md has a row for every setting, option and command that the
reference has, and for every test of the mount, and every test that it names is there and has the
names in it.

    shown_by.py ROOT [TABLE]
    shown_by.py --seeds ROOT [TABLE]
    shown_by.py --pages ROOT PAGE...

The second form checks docs/seeds.md, whose rows have what a document describes, our counterpart and
tests. No cell is empty. The second one names files that exist, and its other names in backquotes are
in one of these files; the words of a phrase, such as a command, are anywhere in our sources. A row
without a counterpart has `none` there, and the reason in the third cell.

The third form checks pages with columns that are headed "shown by": each row has a test that exists
there, or says that it is not tried.
"""

import functools
import pathlib
import re
import sys

# The name of a kernel option that is an option of `nophook record`.
OTHER_NAMES = {"func-args": "--args", "funcgraph-args": "--args"}

# Where the words of a phrase are looked for.
SOURCES = ("include", "runtime", "tools", "recordmcount", "llvm-pass", "analysis", "machine", "linker-script", "bench")

# A path of a test.
TEST = re.compile(r"[\w./-]+/[\w.-]+\.(?:cpp|c|s|ll|test|py)\b")

# A test that shows a name of these headers has the name in it.
API = ("include/ftrace.h", "include/livepatch.h")

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


def contents(root, path):
    """The text of a file, or nothing for a folder; None where neither exists."""
    file = root / path
    return file.read_text(encoding="utf-8") if file.is_file() else "" if file.is_dir() else None


@functools.cache
def sources(root):
    return "".join(path.read_text(encoding="utf-8", errors="replace") for folder in SOURCES for path in sorted((root / folder).rglob("*"))
                   if path.is_file() and "__pycache__" not in path.parts)


def problems_of_phrases(root, what, phrases):
    for phrase in phrases:
        for word in re.split(r"[ ,=]+", phrase):
            if word.strip("-:") not in sources(root):
                yield f"{what}: {word} is nowhere in our sources"


def problems_of_row(root, what, ours, shown):
    if ours == "none":
        if len(shown.split()) < 8:
            yield f"{what}: none of ours, and no reason"
        return
    quoted = re.findall("`([^`]+)`", ours)
    paths = [name for name in quoted if re.fullmatch(r"[\w.-]+/[\w./-]*", name) and (root / name.split("/")[0]).exists()]
    texts = {path: contents(root, path) for path in paths}
    yield from (f"{what}: no file {path}" for path, text in texts.items() if text is None)
    if not paths:
        yield f"{what}: no file of ours"
    for name in quoted:
        if re.fullmatch(r"\w+", name) and not any(name in (text or "") for text in texts.values()):
            yield f"{what}: {name} is in no file of the row"
    yield from problems_of_phrases(root, what, [name for name in quoted if name not in paths and not re.fullmatch(r"\w+", name)])
    tests = TEST.findall(shown)
    yield from (f"{what}: no test {path}" for path in tests if not (root / "test" / path).is_file())
    if not tests:
        yield f"{what}: no test"
    used = "".join(contents(root / "test", path) or "" for path in tests)
    for header in re.findall(r'#include "(\w+\.h)"', used):
        used += contents(root, f"test/support/{header}") or ""
    api = "".join((root / header).read_text(encoding="utf-8") for header in API)
    for name in quoted:
        if re.search(rf"\b{re.escape(name)}(\(| = 1 <<)", api) and name not in used:
            yield f"{what}: {name} is in none of its tests"


def problems_of_seeds(root, table):
    count = 0
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("| ") or line.startswith("| in the "):
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        count += 1
        if len(cells) != 3 or not all(cells):
            yield f"line {number}: not three cells with text"
            continue
        yield from problems_of_row(root, *cells)
    if not count:
        yield "no rows"


def problems_of_pages(root, pages):
    for page in pages:
        column = None
        for line in page.read_text(encoding="utf-8").splitlines():
            if not line.startswith("|"):
                column = None
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if "shown by" in cells:
                column = cells.index("shown by")
            elif column is not None and line.startswith("| "):
                tests = TEST.findall(cells[column]) if len(cells) > column else []
                yield from (f"{page.name}: {cells[0]}: no test {path}" for path in tests if not (root / "test" / path).is_file())
                if not tests and "not tried" not in line:
                    yield f"{page.name}: {cells[0]}: no test"


def main():
    form = sys.argv[1] if sys.argv[1].startswith("--") else ""
    root, *table = map(pathlib.Path, sys.argv[1 + bool(form):])
    if form == "--pages":
        found = list(problems_of_pages(root, table))
    elif form == "--seeds":
        found = list(problems_of_seeds(root, table[0] if table else root / "docs/seeds.md"))
    else:
        found = list(problems(root, table[0] if table else root / "docs/reference/shown-by.md"))
    print("\n".join(found or ["shown_by: every row holds"]))
    return bool(found)


sys.exit(main())
