#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a traced program (writers.c) at random moments and reads what is left of its trace.

Each thread's calls must be those that the program makes, from the first on, and all that it says
have returned, and at most one more. With a recorder and without.
"""

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time

THREADS = 3
DEATHS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM)


def progress_of(path):
    with open(path, "rb") as file:
        data = file.read(16 * THREADS)
    return [struct.unpack_from("<QQ", data, 16 * i) for i in range(THREADS)]


def steps_of(lines, tid):
    """How many steps have returned; raises at the first line that is not what the program does."""
    n, inner, is_open = 0, 0, False
    for line in lines:
        if line["tid"] != tid or line.get("function") == "in_handler":
            continue
        kind, function = line["kind"], line["function"]
        if kind == "entry" and function == "step" and not is_open:
            is_open, inner = True, 0
        elif kind in ("call", "exit") and function == "inner" and is_open:
            inner += 1
        elif kind == "entry" and function == "inner" and is_open:
            pass
        elif kind == "exit" and function == "step" and is_open:
            if inner != 1 + (n % 3 == 0):
                raise ValueError(f"step {n} has {inner} calls")
            n, is_open = n + 1, False
        else:
            raise ValueError(f"step {n}: {line}")
    return n


def run_once(nophook, runtime, program, scratch, with_recorder, rng):
    path, data = os.path.join(scratch, "progress"), os.path.join(scratch, "data")
    with open(path, "wb") as file:
        file.truncate(4096)
    env = dict(os.environ, XDG_RUNTIME_DIR=scratch)
    if with_recorder:
        command = [nophook, "record", "-o", data, "--", program, path]
    else:
        command = [program, path]
        env.update(NOPHOOK="current_tracer=function_graph buffer_size_kb=65536", LD_PRELOAD=runtime)
    child = subprocess.Popen(command, env=env, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not all(steps for _, steps in progress_of(path)):
        if child.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the program does not run: {child.communicate()[1]}")
        time.sleep(0.0002)
    time.sleep(rng.random() * 0.012)
    tids = [tid for tid, _ in progress_of(path)]
    death = rng.choice(DEATHS)
    with open(f"/proc/{tids[0]}/status", encoding="ascii") as status:
        pid = next(int(line.split()[1]) for line in status if line.startswith("Tgid:"))
    os.kill(pid, death)
    child.communicate()
    if not with_recorder:
        subprocess.run([nophook, "recover", "-o", data, str(pid)], env=env, check=True, capture_output=True)
        subprocess.run([nophook, "recover", "--clean", os.path.join(scratch, "nophook")], env=env, check=True, capture_output=True)
    report = subprocess.run([nophook, "report", "--json", data], env=env, check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in report.stdout.splitlines()]
    total = 0
    for tid, steps in progress_of(path):
        seen = steps_of(lines, tid)
        if not steps <= seen <= steps + 1:
            raise ValueError(f"killed by {death.name}: {steps} steps have returned, {seen} are recorded")
        total += seen
    return total


def main():
    nophook, runtime, program, scratch, runs, seed = sys.argv[1:7]
    os.makedirs(scratch, mode=0o700, exist_ok=True)
    rng = random.Random(int(seed))
    steps = 0
    for run in range(int(runs)):
        with_recorder = run % 2 == 1
        try:
            steps += run_once(nophook, runtime, program, scratch, with_recorder, rng)
        except (ValueError, subprocess.CalledProcessError) as error:
            sys.exit(f"run {run} of seed {seed}, {'with' if with_recorder else 'without'} recorder: {error}")
    left = [name for name in os.listdir(os.path.join(scratch, "nophook")) if name.endswith(".buf")]
    if left:
        sys.exit(f"not cleaned: {left}")
    print(f"{runs} runs, {steps} steps")


main()
