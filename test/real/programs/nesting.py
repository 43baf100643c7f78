#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nesting of calls in a recording: depths are those of the tree of calls, no call is shorter than its children together, and
no call is open at the end.

    nesting.py DATA [EXITS...]      prints what it finds in a recording, and its number of calls; EXITS: names of functions that end a process

Four things look like a fault and are none. A process that calls exec begins a new tree in the middle of calls. A fork child may
jump out of calls whose entries only its parent has: the next call then has depth 0. A fork child may end inside calls that it has
inherited from its parent, which are counted there. The calls of a thread that has lost events are not known from there on. So the
caller passes what it knows of the processes, and only these are forgiven.
"""

import collections
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from check_graph import Counts  # noqa: E402

KINDS = {"entry", "exit", "call", "entry_only"}  # kinds of the lines that make the tree


class Nesting:
    def __init__(self, processes, jumps=False):
        """`processes` as `nophook info --json` lists them; `jumps`: their fork children may jump out of all calls."""
        pids = collections.Counter(process["pid"] for process in processes)
        self.pids = set(pids)
        self.executed = pids - collections.Counter(self.pids)  # further programs in the same process: each begins at 0
        self.forked = {process["pid"] for process in processes if process["ppid"] in pids}
        self.jumping = self.forked if jumps else set()
        self.losing = set()
        self.counts = Counts([])

    def add(self, event):
        pid, tid = event["pid"], event["tid"]
        if event["kind"] == "lost":
            self.losing.add(tid)
            self.counts.stacks.pop(tid, None)
        if tid in self.losing:
            return
        stack = self.counts.stacks.get(tid)
        if stack and event["kind"] != "exit" and not event["depth"] and (self.executed[pid] or pid in self.jumping):
            self.executed[pid] -= self.executed[pid] > 0
            stack.clear()
        self.counts.add(event)

    def open_calls(self, detached=False, ends=()):
        """How many calls are open, in threads whose innermost one is not a call of `ends`; `detached`: in first threads only. The
        calls that a fork child has inherited are its parent's. A flight recorder inherits calls from what it has overwritten, too: they
        count in every other process."""
        return sum(not (frame.is_inherited and tid in self.forked) for tid, stack in self.counts.stacks.items()
                   if stack and (tid in self.pids or not detached) and stack[-1].name not in ends for frame in stack)


def main():
    data, *exits = sys.argv[1:]
    info = json.loads(subprocess.run(["nophook", "info", "--json", data], capture_output=True, check=True).stdout)
    nesting = Nesting(info["processes"])
    for line in subprocess.run(["nophook", "report", "--json", data], capture_output=True, check=True).stdout.splitlines():
        nesting.add(json.loads(line))
    counts = nesting.counts
    print(f"{counts.calls} calls, wrong depth: {counts.wrong_depth}, beyond the caller: {counts.beyond}, open: {nesting.open_calls(ends=exits)}")


if __name__ == "__main__":
    main()
