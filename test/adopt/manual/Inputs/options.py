#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what `nophook --help` and `nophook VERB --help` list with the manual pages.

    options.py NOPHOOK FOLDER     prints each difference; exit 1 if there is one
"""

import pathlib
import re
import subprocess
import sys


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def help_options(text):
    return {name for line in re.findall(r"^  (-\S+)", text, re.MULTILINE) for name in re.findall(r"-+[a-z][\w-]*", line)}


def page_options(page):
    """The options of a page: `.It Fl p , Fl -tracer Ar TRACER` gives -p and --tracer."""
    lines = re.findall(r"^\.It Fl .*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {"-" + name for line in lines for name in re.findall(r"Fl (-?[a-z][\w-]*)", line)}


def page_verbs(page):
    lines = re.findall(r"^\.It Cm (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {verb for line in lines for verb in line.split(" , ")}


def main():
    nophook, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    usage = help_of(nophook)
    lines = re.findall(r"^  ([a-z+-]+(?:, [a-z+-]+)*) ", usage, re.MULTILINE)
    verbs = {verb for line in lines for verb in line.split(", ")} | {"help"}
    wrong = [f"nophook: verb {verb}" for verb in verbs ^ page_verbs(folder / "nophook.1")]
    for verb in sorted(verbs - {"help"}):  # which shows the others'
        page = folder / f"nophook-{verb}.1"
        if not page.exists():
            wrong.append(f"no page {page.name}")
        elif verb not in ("cc", "c++", "cargo", "ld", "rustc"):  # their --help is the other program's
            options = help_options(help_of(nophook, verb))
            assert options, verb
            wrong += [f"nophook {verb}: {name}" for name in options ^ page_options(page)]
    print(f"{len(verbs)} verbs, {len(wrong)} differences", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
