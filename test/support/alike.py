#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program untraced, under `function` and under `function_graph`: nothing that it
prints, nor its exit status, may differ.

    alike.py --runtime libnophook.so --scratch DIR [--must NAME]... -- PROGRAM ARGS

So that nothing passes by not being traced: every buffer must hold events and no loss (unless
--may-lose), each function named by --must must be in both traces, and each graph entry must
have been matched, unwound, or be open at the end.
"""

import argparse
import os
import struct
import subprocess
import sys

import buffer
import calltree
import trace


def run(command, env, seconds):
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
    return done.returncode, done.stdout, done.stderr


def check_traced(directory, options, tracer):
    seen = set()
    for process in buffer.read_all(directory):
        if process.log:
            raise SystemExit(f"{tracer}: the runtime complains: {process.log}")
        if process.lost_events() and not options.may_lose:
            raise SystemExit(f"{tracer}: {process.lost_events()} events lost")
        for ring in process.rings:
            seen.update(process.maps.name(id_) for id_ in {event.id for event in ring.events})
            tree = calltree.CallTree(ring, process.maps)
            if tree.orphans and not options.may_lose:
                raise SystemExit(f"{tracer}: {tree.orphans} exits without entries")
    if not seen:
        raise SystemExit(f"{tracer}: no event")
    missing = [name for name in options.must if not any(name in other for other in seen)]
    if missing:
        raise SystemExit(f"{tracer}: not traced: {missing}; traced: {sorted(seen)}")


def check_counted(directory):
    """nophook/profile.h: something has been counted."""
    for name in os.listdir(directory):
        if name.endswith(".prof"):
            with open(os.path.join(directory, name), "rb") as file:
                data = file.read()
            ids, entry_bytes = struct.unpack_from("<2I", data, 16)
            if any(struct.unpack_from("<Q", data, 64 + entry_bytes * i)[0] for i in range(ids)):
                return
    raise SystemExit(f"{directory}: nothing was counted")


def main():
    parser = argparse.ArgumentParser(description="Compares a program's traced runs with its untraced one.")
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--must", action="append", default=[])
    parser.add_argument("--may-lose", action="store_true")
    parser.add_argument("--seconds", type=float, default=600, help="a run that takes longer hangs")
    parser.add_argument("--kib", default=65536)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    untraced = run(options.command, None, options.seconds)
    if untraced[0] != 0:
        raise SystemExit(f"untraced: status {untraced[0]}: {untraced[1:]}")
    for tracer in os.environ.get("NOPHOOK_TRACERS", "function function_graph").split():
        directory = trace.fresh(f"{options.scratch}.{tracer}")
        env = trace.environment(directory, tracer, kib=options.kib, runtime=options.runtime)
        traced = run(options.command, env, options.seconds)
        if traced != untraced:
            raise SystemExit(f"{tracer}: (status, stdout, stderr)\n is  {traced}\n not {untraced}")
        if tracer in ("profile", "hits"):
            check_counted(directory)
        else:
            check_traced(directory, options, tracer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
