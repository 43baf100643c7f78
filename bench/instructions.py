# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The number of instructions that a command executes in user mode, which a loaded machine cannot change.

By valgrind, as virtual machines often have no performance counters. The count is the same in
each run but for what depends on addresses and times, a few thousand.

Calls of a traced function are counted by qemu, whose CPU has the same features everywhere.
"""

import os
import re
import subprocess


def count(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"valgrind: {' '.join(command)}: {done.stderr[-500:]}")
    return int(found[1])


def symbols(program):
    done = subprocess.run(["llvm-nm-22", "-S", program], check=True, stdout=subprocess.PIPE, text=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return {line[3]: range(int(line[0], 16), int(line[0], 16) + int(line[1], 16)) for line in lines if len(line) == 4}


def count_calls(program, settings):
    """For each call of work() by call_work(), how many instructions of neither are executed. qemu prints the address of each
    instruction of the static program."""
    work, caller = (symbols(program)[name] for name in ("work", "call_work"))
    command = ["qemu-x86_64", "-cpu", "max", "-singlestep", "-d", "exec,nochain", "-D", "/dev/stderr", program]
    calls, is_inside = [], False
    with subprocess.Popen(command, env={**os.environ, "NOPHOOK": settings}, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stderr:
            if not line.startswith("Trace "):
                raise RuntimeError(f"{program}: {line}")
            pc = int(line.split("/")[1], 16)
            if pc == work.start and not is_inside:
                is_inside = True
                calls.append(0)
            elif pc in caller:
                is_inside = False
            elif is_inside and pc not in work:
                calls[-1] += 1
    if running.returncode:
        raise RuntimeError(f"{program}: status {running.returncode}")
    return calls
