#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of a traced call on both CPUs, by execution, and prints them as a table.

    count_paths.py X86_64_PROGRAM AARCH64_PROGRAM

qemu runs paths.c one instruction at a time and prints the address of each. All instructions of the third call count but the
caller's and the function's own: the site, the thunk and the trampoline, at the entry and at the return. The table's ways of
the tracers may take 1.2 times as many on AArch64; hits, whose addition takes four there, twice as many.
"""

import os
import subprocess
import sys
import tempfile

# qemu does not call the counter of x86-64 invariant, so the runtime would choose another clock.
CLOCKS = {"x86_64": " trace_clock=x86-tsc", "aarch64": ""}
WAYS = ("nop", "function", "function_graph", "profile", "hits", "callback", "callback with registers")
MOST = {"nop": 1.0, "function": 1.2, "function_graph": 1.2, "profile": 1.2}


def symbols(program):
    done = subprocess.run(["llvm-nm", "-S", program], check=True, stdout=subprocess.PIPE, text=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return {line[3]: range(int(line[0], 16), int(line[0], 16) + int(line[1], 16)) for line in lines if len(line) == 4}


def executed(cpu, program, way):
    """Yields the address of each instruction that the program executes."""
    with tempfile.TemporaryDirectory() as folder:
        settings = f"buffer_dir={folder} buffer_size_kb=1024{CLOCKS[cpu]}"
        command = [f"qemu-{cpu}", "-cpu", "max", "-singlestep", "-d", "exec,nochain", "-D", "/dev/stderr", program, way]
        with subprocess.Popen(command, env=dict(os.environ, NOPHOOK=settings), stderr=subprocess.PIPE, text=True) as running:
            for line in running.stderr:
                if line.startswith("Trace "):
                    yield int(line.split("/")[1], 16)
                else:
                    sys.stderr.write(line)
        if running.returncode:
            sys.exit(f"count_paths.py: {program} {way}: status {running.returncode}")


def count(cpu, program, way):
    places = symbols(program)
    work, caller = places["work"], places["call_work"]
    calls, is_inside = [], False
    for pc in executed(cpu, program, way):
        if is_inside and pc in caller:
            is_inside = False
        elif pc == work.start and not is_inside:
            is_inside = True
            calls.append(1)  # the site
        elif is_inside and pc not in work:
            calls[-1] += 1
    if len(calls) != 3:
        sys.exit(f"count_paths.py: {program} {way}: {len(calls)} calls")
    return calls[2]


def main():
    _, x86_64, aarch64 = sys.argv
    print("| way of a call | x86-64 | AArch64 | ratio |\n|---|---|---|---|")
    for way in WAYS:
        on_x86_64, on_aarch64 = count("x86_64", x86_64, way), count("aarch64", aarch64, way)
        print(f"| {way} | {on_x86_64} | {on_aarch64} | {on_aarch64 / on_x86_64:.2f} |")
        if on_aarch64 > MOST.get(way, 2) * on_x86_64:
            sys.exit(f"count_paths.py: {way}: AArch64 takes {on_aarch64} instructions, x86-64 {on_x86_64}")


main()
