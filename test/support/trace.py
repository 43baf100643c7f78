#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program under the runtime without the recorder, and passes its exit status on.

    trace.py [options] -- PROGRAM ARGS

The folder (-o) is emptied first; buffers stay there for show.py. Nobody reads while the
program runs: a ring that is full drops.
"""

import argparse
import os
import shutil
import subprocess
import sys

SECONDS = 1200 if os.environ.get("NOPHOOK_LONG") else 600  # a program that takes longer hangs, however busy the machine


def environment(directory, tracer="function_graph", only=(), without=(), kib=16384, runtime=None, extra=""):
    settings = [f"buffer_dir={directory}", f"buffer_size_kb={kib}"]
    if tracer:
        settings.append(f"current_tracer={tracer}")
    if only:
        settings.append("set_ftrace_filter=" + ",".join(only))
    if without:
        settings.append("set_ftrace_notrace=" + ",".join(without))
    if os.environ.get("NOPHOOK_TRACE_OPTIONS"):
        settings.insert(0, "trace_options=" + os.environ["NOPHOOK_TRACE_OPTIONS"])
    env = dict(os.environ, NOPHOOK=" ".join(settings + [extra]).strip())
    preloads = [path for path in (runtime, os.environ.get("NOPHOOK_TEXT_CHECK")) if path]
    if os.environ.get("NOPHOOK_ON_QEMU"):
        if runtime:  # it is the program's, not qemu's
            env["QEMU_SET_ENV"] = f"LD_PRELOAD={runtime}"
    elif preloads:
        env["LD_PRELOAD"] = " ".join(preloads)
    return env


def fresh(directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory, mode=0o700)
    return os.path.abspath(directory)


def main():
    parser = argparse.ArgumentParser(description="Runs a program under the runtime.")
    parser.add_argument("-o", metavar="DIR", required=True, help="where the buffers go")
    parser.add_argument("-p", metavar="TRACER", default="function_graph", help="current_tracer; empty: none")
    parser.add_argument("-l", metavar="GLOB", action="append", default=[], help="set_ftrace_filter")
    parser.add_argument("-n", metavar="GLOB", action="append", default=[], help="set_ftrace_notrace")
    parser.add_argument("-k", metavar="KIB", default=16384, help="buffer_size_kb")
    parser.add_argument("-s", metavar="TEXT", default="", help="more settings, as they are")
    parser.add_argument("--preload", metavar="FILE", help="the runtime, for a program not linked with it")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="then the program is killed")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    directory = fresh(options.o)
    env = environment(directory, options.p, options.l, options.n, options.k, options.preload, options.s)
    try:
        status = subprocess.run(options.command, env=env, timeout=options.seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        sys.exit(f"trace.py: the program hangs (killed after {options.seconds} s)")
    if status < 0:
        print(f"trace.py: the program died of signal {-status}", file=sys.stderr)
    return 128 - status if status < 0 else status


if __name__ == "__main__":
    sys.exit(main())
