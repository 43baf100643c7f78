#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what must hold of every call tree, in the lines of `nophook report --json`.

    nophook report --json DATA | check_graph.py [OUTER>INNER]...

The tree is built again here, from the order of the lines and their times; the report's own depth and
durations are only compared with it. Prints for FileCheck:

    calls                        entries, and calls without children; an inherited call is counted where it was entered
    without exit, without entry  must be 0 in a program that returns from everything
    not returned                 ended by unwinding (exceptions, longjmp) or tail calls
    wrong depth                  lines whose depth is not that of the tree
    beyond the caller            calls whose children took longer together than themselves
    OUTER>INNER                  calls of INNER* directly in OUTER, with OUTER's own lines open
    root NAME                    a call without caller and its duration
"""

import json
import re
import sys


class Frame:
    def __init__(self, event):
        self.name, self.begin_ns, self.is_inherited = event["function"], event["time_ns"], event.get("inherited", False)
        self.children_ns = self.children = 0

    def is_ended_by(self, event):
        """An exit is that of a call by its name and by when it says that the call began; both times are rounded to a nanosecond."""
        return self.name == event["function"] and "duration_ns" in event and abs(event["time_ns"] - event["duration_ns"] - self.begin_ns) <= 1


class Counts:
    def __init__(self, pairs):
        self.calls = self.no_entry = self.not_returned = self.wrong_depth = self.beyond = 0
        self.pairs = {pair: 0 for pair in pairs}
        self.roots = []
        self.stacks = {}

    def called(self, stack, event):
        self.calls += not event.get("inherited")
        self.wrong_depth += event["depth"] != len(stack)
        for pair in self.pairs:
            outer, inner = pair.split(">")
            if stack and stack[-1].name == outer and not event.get("inherited") and re.match(inner, event["function"]):
                self.pairs[pair] += 1

    def ended(self, stack, event, children_ns=0, children=0):
        duration = event["duration_ns"]
        self.not_returned += not event["returned"]
        # Each duration is rounded to a nanosecond by itself.
        self.beyond += children_ns > duration + children + 1
        if stack:
            stack[-1].children_ns += duration
            stack[-1].children += 1
        else:
            self.roots.append((event["function"], duration))

    def add(self, event):
        stack = self.stacks.setdefault(event["tid"], [])
        kind = event["kind"]
        if kind == "entry":
            self.called(stack, event)
            stack.append(Frame(event))
        elif kind == "call":
            self.called(stack, event)
            self.ended(stack, event)
        elif kind == "entry_only":
            self.called(stack, event)
        elif kind == "exit":
            if not stack or not stack[-1].is_ended_by(event):
                self.no_entry += 1
                return
            frame = stack.pop()
            self.wrong_depth += event["depth"] != len(stack)
            self.ended(stack, event, frame.children_ns, frame.children)
        else:
            sys.exit(f"check_graph.py: what is a {kind}?")


def main():
    counts = Counts(sys.argv[1:])
    for line in sys.stdin:
        counts.add(json.loads(line))
    print(f"calls: {counts.calls}")
    print(f"without exit: {sum(map(len, counts.stacks.values()))}")
    print(f"without entry: {counts.no_entry}")
    print(f"not returned: {counts.not_returned}")
    print(f"wrong depth: {counts.wrong_depth}")
    print(f"beyond the caller: {counts.beyond}")
    for pair, hits in counts.pairs.items():
        print(f"{pair}: {hits}")
    for name, duration in counts.roots:
        print(f"root {name}: {duration} ns")


if __name__ == "__main__":
    main()
