#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the buffers of a folder for FileCheck.

    show.py DIR             one line a process and thread, and what happened in it
    show.py --tree DIR      the calls, too
    show.py --count DIR     how often each function did what, too: `foo: 3 entry, 3 exit`
    show.py --expect FILE   fails unless, for each line `[PID] NAME COUNT` of FILE, NAME was
                            entered COUNT times, by that process or all together, none lost,
                            and no hole is in a ring
    show.py --python EXPR   fails unless EXPR is true; `buffers` is the list of processes

An order that does not depend on chance: processes by start, threads by their first event.
"""

import argparse
import collections
import sys

import buffer
import calltree


def count_lines(ring, maps):
    counts = collections.defaultdict(collections.Counter)
    for event in ring.events:
        counts[maps.name(event.id)][event.kind] += 1
    for name in sorted(counts):
        yield f"{name}: " + ", ".join(f"{counts[name][kind]} {kind}" for kind in buffer.KINDS if counts[name][kind])


def expect(path, buffers):
    """Compares what the program counted itself with what was recorded."""
    counts = collections.Counter()
    lost = holes = 0
    for process in buffers:
        lost += process.lost_events()
        for ring in process.rings:
            holes += ring.holes
            for id_, n in collections.Counter(event.id for event in ring.events if event.kind != "exit").items():
                counts[process.maps.name(id_)] += n
                counts[f"{process.pid} {process.maps.name(id_)}"] += n
    with open(path, encoding="utf-8") as file:
        wanted = {name: int(count) for name, count in (line.rsplit(maxsplit=1) for line in file)}
    wrong = [f"{name}: {counts[name]} events, {wanted[name]} calls" for name in wanted if counts[name] != wanted[name]]
    if wrong or lost or holes or not wanted:
        sys.exit("show.py: " + "; ".join(wrong + [f"{lost} lost, {holes} holes"]))


def show(process, options):
    print(f"process {process.comm}: {len(process.rings)} threads, {process.lost_events()} lost")
    for line in process.log.splitlines():
        print(f"  log: {line}")
    for ring in sorted(process.rings, key=lambda ring: ring.events[0].tsc if ring.events else 0):
        tree = calltree.CallTree(ring, process.maps)
        print(f"  thread {ring.comm}: {len(ring.events)} events, {ring.holes} holes, {tree.matched} returned, "
              f"{tree.tails} tail calls, {tree.unwound} unwound, {tree.orphans} orphans, {len(tree.open)} open")
        lines = list(count_lines(ring, process.maps)) if options.count else tree.lines if options.tree else []
        for line in lines:
            print("    " + line)


def main():
    parser = argparse.ArgumentParser(description="Prints the buffers of a folder.")
    parser.add_argument("--tree", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--python", metavar="EXPR", action="append", default=[])
    parser.add_argument("--expect", metavar="FILE")
    parser.add_argument("directory")
    options = parser.parse_args()
    # A preloaded runtime opens a buffer in programs without sites, too: a shell, say.
    buffers = [process for process in buffer.read_all(options.directory) if process.maps.modules]
    if not buffers:
        sys.exit(f"show.py: no buffer in {options.directory}")
    if options.expect:
        expect(options.expect, buffers)
    elif not options.python:
        for process in buffers:
            show(process, options)
    for expression in options.python:
        names = {"buffers": buffers, "CallTree": calltree.CallTree, "Counter": collections.Counter}
        if not eval(expression, names):  # written by the test itself
            sys.exit(f"show.py: not true: {expression}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
