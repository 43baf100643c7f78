#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./do bench: measures what tracing costs on this machine, and prints one table.

Nanoseconds of another machine say little, so each line stands beside what the same run has
measured as its floor (what any implementation must pay) or peer, and beside the budget of
the design. A missed budget is printed and is no failure, and no test depends on a time: the exit
status is 1 only if a group could not be measured. Lines come in groups, one file lines_*.py each; a new group is a new file
with a function measure(setting) and a word in GROUPS.
"""

import argparse
import importlib
import pathlib
import sys
import traceback

from common import Line, Setting, say
from decisions import rows
from machine import machine
from table import print_table, write_json

GROUPS = ("events", "library_calls", "full", "forks", "callbacks", "rates", "off_cpu", "patching", "livepatch", "attach", "control", "names", "startup", "record",
          "lua", "untraced", "static", "compile", "recordmcount", "report", "view", "billion")
PEERS = ("peers", "idle", "whole", "report_peers")  # the groups that --peers adds


def parse_arguments():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(prog="./do bench", description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write all samples there, too")
    parser.add_argument("--only", metavar="GROUP", action="append", choices=(*GROUPS, *PEERS),
                        help=f"measure only this group ({', '.join((*GROUPS, *PEERS))}); may be repeated")
    parser.add_argument("--peers", action="store_true", help="beside the other tracers that Debian has, first of all")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build",
                        help="the build folder (default: build/)")
    arguments = parser.parse_args()
    arguments.root = root
    return arguments


def measure(group, setting):
    say(f"measuring: {group}")
    try:
        return importlib.import_module("lines_" + group).measure(setting), True
    except Exception as error:  # pylint: disable=broad-exception-caught # of an hour's run the other groups are kept
        say("".join(traceback.format_exception(error)))
        return [Line(group, f"not measured: {type(error).__name__}: {error}".splitlines()[0])], False


def main():
    arguments = parse_arguments()
    here = machine()
    setting = Setting(arguments.root, arguments.build.resolve(), arguments.quick)
    lines, failed = [], 0
    for group in [*PEERS * arguments.peers, *(arguments.only or GROUPS)]:
        found, is_measured = measure(group, setting)
        lines += found
        failed += not is_measured
        if arguments.json:  # each time, so that an interrupted run keeps what it has measured
            write_json(arguments.json, lines, here)
    load = here["load_before"]
    head = f"{here['cpu']}, {here['cores']} cores, Linux {here['kernel']}"
    if load > 0.5:
        head += f"\nThe machine was not idle (load {load:.1f}): take these numbers with care."
    print_table(lines, head, rows(arguments.root / "docs", "missed"))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
