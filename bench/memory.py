# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a program and of all processes beside it that a tool needs, read while the program waits at its end.

The kernel's peak of a child would not do: wait4() counts the memory of this interpreter in, which the child was before it
became the program. The peak of a program's own address space is in its /proc/PID/status.
"""

import dataclasses
import os
import pathlib
import re
import subprocess


@dataclasses.dataclass
class Memory:
    """In MiB. `others` are the tool's processes; pages that processes share are counted in parts there and in `together`."""
    peak: float
    shared: float
    anonymous: float
    others: float
    together: float


def mib(text, name):
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def parent_of(folder):
    """The parent of a process, by the folder in /proc; None if the process has ended."""
    try:
        return int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def descendants(pid):
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        children.setdefault(parent_of(folder), []).append(int(folder.name))
    found, left = [], [pid]
    while left:
        found += (new := children.get(left.pop(), []))
        left += new
    return found


def read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_text()
    except OSError:  # it has just ended, or it ends
        return ""


def look(program):
    """At all processes that this one has made; one of them runs `program`."""
    pids = descendants(os.getpid())
    parts = {pid: mib(read(pid, "smaps_rollup"), "Pss") for pid in pids}
    main = next(pid for pid in pids if os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(program))
    status = read(main, "status")
    together = sum(parts.values())
    return Memory(mib(status, "VmHWM"), mib(status, "RssShmem"), mib(status, "RssAnon"), together - parts[main], together)


def memory_at_the_end(command, program, **options):
    """The memory of a command that runs loop.cpp with `wait`."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          **options) as process:
        if not any(line.startswith("site") for line in process.stdout):
            raise RuntimeError(f"{command[0]} has ended before its program waited")
        found = look(program)
        process.communicate()
    if process.returncode:
        raise RuntimeError(f"{command[0]}: status {process.returncode}")
    return found
