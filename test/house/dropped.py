#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds results that are dropped, in the code that runs in the compiler, on objects, in the traced
process, or in the command.

The compiler warns where a [[nodiscard]] result is not looked at, which every Status is. Two cases
get past it: a cast to void, and system calls, which return a plain number. So

  - a cast to void needs a comment on its line, or the line above, that says why nothing follows;
  - so does a system call whose result is not used, unless its failure has no consequence: it gives
    something back, waits, or asks for a name.

    dropped.py ROOT [FILE...]    all sources below ROOT, or these
"""

import pathlib
import re
import sys

FOLDERS = ("runtime", "recordmcount", "llvm-pass", "analysis", "machine", "prototypes", "tools")
HARMLESS = {"close", "munmap", "futex", "nanosleep", "sched_yield", "unlinkat", "rt_sigprocmask", "rt_sigpending",
            "rt_sigtimedwait", "prctl"}
# The statement before has ended: what begins here is one of its own, not the rest of an expression.
CALL = re.compile(r"^\s*(?:sys|sys_growing)\(SYS_(\w+)\b")
CAST = re.compile(r"\(void\)\s*[\w!:*(]")


def ends_statement(line):
    code = line.split("//")[0].rstrip()
    return not code or code[-1] in ";{}:" or code.endswith("else") or re.match(r"\s*(if|for|while)\b.*\)$", code)


def drops(lines):
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else ""
        if "//" in line or before.lstrip().startswith("//"):
            continue
        call = CALL.match(line)
        if call and call[1] not in HARMLESS and ends_statement(before):
            yield number + 1, f"the result of {call[1]} is dropped"
        if CAST.search(line) and not re.match(r"\s*\(void\)\w+(, \(void\)\w+)*;$", line.split("//")[0].rstrip()):
            yield number + 1, "a result is cast to void"
        elif CAST.search(line) and re.search(r"\(void\)(\w+);", line) and is_result(lines[:number], line):
            yield number + 1, "a result is cast to void"


# A parameter that is not used is no result; a variable that was just given one is.
def is_result(before, line):
    name = re.search(r"\(void\)(\w+);", line)[1]
    return any(re.search(rf"\b{name}(?: =|\()", earlier) for earlier in before[-6:])


def main():
    root = pathlib.Path(sys.argv[1])
    files = [pathlib.Path(name) for name in sys.argv[2:]] or sorted(
        path for folder in FOLDERS for ending in ("*.cpp", "*.h") for path in (root / folder).rglob(ending))
    found = 0
    for path in files:
        for number, what in drops(path.read_text(encoding="utf-8").splitlines()):
            print(f"{path}:{number}: {what}, and no comment says why")
            found += 1
    if not found:
        print(f"dropped: {len(files)} files, each result is used or its loss explained")
    return found != 0


if __name__ == "__main__":
    sys.exit(main())
