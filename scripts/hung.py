# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends processes that hang in a test suite, so that a hang is one failed test with its stacks and not a run without an end.

A process hangs if it has no children, is no runner of tests and is older than the limit. If a test has several
processes, the innermost go first. A process that waits for them has its turn later, if their end does not wake it.
"""

import os
import pathlib
import signal
import subprocess

RUNNERS = {"lit", "lit.py", "lit-22", "ninja", "ctest"}
TICKS = os.sysconf("SC_CLK_TCK")
STACK_SECONDS = 60


class Process:
    """The state of one process, from /proc."""

    def __init__(self, pid):
        folder = pathlib.Path("/proc", str(pid))
        # The name stands in brackets and may contain anything: fields are counted behind the last bracket.
        fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        self.pid, self.parent, self.session = pid, int(fields[1]), int(fields[3])
        self.is_dead = fields[0] in "ZX"
        self.started = int(fields[19]) / TICKS
        self.words = (folder / "cmdline").read_text(errors="replace").split("\0")

    def is_runner(self):
        return any(os.path.basename(word) in RUNNERS for word in self.words[:2])


def processes():
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                found[int(entry)] = Process(int(entry))
            except (OSError, IndexError):
                pass  # it has ended
    return found


def innermost(session, limit):
    """The processes that hang in a session, descendants in other sessions included."""
    every = processes()
    parents = {process.parent for process in every.values() if not process.is_dead}
    now = float(pathlib.Path("/proc/uptime").read_text().split()[0])

    def belongs(process):
        while process:
            if process.session == session:
                return True
            process = every.get(process.parent)
        return False

    return [process for pid, process in every.items()
            if not process.is_dead and pid not in parents and not process.is_runner()
            and now - process.started > limit and belongs(process)]


def stacks(pid):
    try:
        return subprocess.run(["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "thread apply all bt 16"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=STACK_SECONDS, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no stacks: {error}\n"


def end_hung(session, limit):
    """Ends the processes that hang in a session; returns a text for each: its command and its stacks."""
    told = []
    for process in innermost(session, limit):
        told.append(f"{' '.join(process.words).strip()}\nrunning for more than {limit} s, ended; process {process.pid} stood at:\n"
                    + stacks(process.pid))
        try:
            os.kill(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return told
