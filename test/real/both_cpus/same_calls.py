#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a program of this machine, and the same program for AArch64 under qemu, and compares the calls of each thread
event for event: begin or end, depth, function, whether an exception has ended the call. The programs must also print
the same. A call in a function's last line is a tail call on one CPU and not on the other where the ABI decides: on x86-64 a function
returns the address of a structure that it returns in memory, on AArch64 not. Such calls are counted.

    same_calls.py --build BUILD --scratch PREFIX [--without FUNCTION...] -- PROGRAM ARGUMENT...

PROGRAM is below BUILD/real, and for AArch64 below BUILD/real/aarch64; both are started in their folder, by the same words.

--without names functions whose events are left out, while what they call stays: a compiler inlines them on one CPU and not on the
other, or how often they are called depends on addresses. Without this filter no other function may differ by the number of its calls.

Threads have no order, so the lists of their events are compared as a set.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

KINDS = ("entry", "call", "exit", "entry_only")


def run(command, statuses=(0,), **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, **more)
    if done.returncode not in statuses:
        sys.exit(f"{command}: status {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout


EITHER = (0, 1)  # a program may find an error in its input


class Cpus:
    def __init__(self, options):
        self.options, self.real = options, options.build / "real"
        self.nophook, self.input = options.build / "bin/nophook", sys.stdin.buffer.read()

    def own(self, without):
        """Returns the recording and what the program has printed."""
        path = f"{self.options.scratch}.x86_64"
        words = [word for name in without for word in ("-n", name)]
        return path, run([self.nophook, "record", *words, "-o", path, "--", *self.options.command], EITHER, cwd=self.real, input=self.input)

    def aarch64(self, without):
        path, folder = f"{self.options.scratch}.aarch64", f"{self.options.scratch}.buffers"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder, mode=0o700)
        settings = f"current_tracer=function_graph buffer_dir={folder} buffer_size_kb=2048"
        if without:
            settings += " set_ftrace_notrace=" + ",".join(without)
        env = dict(os.environ, NOPHOOK=settings, QEMU_SET_ENV=f"LD_PRELOAD={self.options.build}/aarch64/lib/libnophook.so")
        qemu = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
        printed = run([*qemu, *self.options.command], EITHER, cwd=self.real / "aarch64", env=env, input=self.input)
        run([self.nophook, "recover", "-o", path, folder])
        return path, printed

    def both(self, without):
        (own, printed), (other, printed_there) = self.own(without), self.aarch64(without)
        if printed != printed_there:
            sys.exit(f"the programs print\n{printed.decode()}and\n{printed_there.decode()}")
        return own, other

    def differing(self, recordings):
        """Functions that are not called as often, by the command's own comparison."""
        text = run([self.nophook, "diff", "--json", "--fields", "hits", "--top=100000", *recordings])
        rows = list(map(json.loads, text.splitlines()))
        return {row["function"] for row in rows if row["hits"]["before"] != row["hits"]["after"]}

    def threads(self, recording):
        threads = collections.defaultdict(list)
        for event in map(json.loads, run([self.nophook, "export", "--format", "json", recording]).splitlines()):
            if event["kind"] == "lost":
                sys.exit(f"{recording}: events were lost")
            if event["kind"] in KINDS:
                threads[event["tid"]].append((event["kind"], event["depth"], event["function"], event.get("end")))
        return sorted(threads.values(), key=lambda lines: list(map(str, map(without_tail, lines))))


def without_tail(line):
    return line and (*line[:3], line[3] if line[3] != "tail" else None)


def main():
    parser = argparse.ArgumentParser(description="Compares the calls of a program on both CPUs.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    cpus = Cpus(options)
    if other := cpus.differing(cpus.both([])) - set(options.without):
        sys.exit(f"functions that are not called as often: {sorted(other)}")
    own, there = map(cpus.threads, cpus.both(options.without))
    if len(own) != len(there):
        sys.exit(f"{len(own)} threads on x86-64, {len(there)} on AArch64")
    tails = 0
    for mine, theirs in zip(own, there):
        for at, (a, b) in enumerate(zip(mine + [None], theirs + [None])):
            if without_tail(a) != without_tail(b):
                sys.exit(f"line {at}: x86-64 has {a}, AArch64 {b}; before it: {mine[max(0, at - 8):at]}")
            tails += a != b
    lines = [line for thread in own for line in thread]
    print(f"{len(lines)} lines of {len({line[2] for line in lines})} functions in {len(own)} threads are the same, {tails} tail calls are on one CPU only")


main()
