#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a traced program (writers.c) at random moments and reads what is left of its trace.

    kill.py NOPHOOK RUNTIME PROGRAM SCRATCH RUNS SEED

In turns with a recorder and without, with a buffer that drops and one that overwrites, with one
process and with several. Each thread's calls must be those that the program makes: from the first
on, or, where they are overwritten, from any on, and then the recording gives the number of those
before it. The calls that were open there are shown, too; no whole step is among them. All calls that the program says have returned are there, and at most one more.
A thread that had left its last sub-buffer and stood still before the next one may have been overwritten whole by the others, but for what it had just begun: then that number is that of all its other events.
"""

import os
import random
import re
import signal
import struct
import subprocess
import sys
import time

THREADS, CHILD_STEPS = 3, 5
DEATHS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM)
PROGRESS = struct.Struct("<QQQQ")  # thread, steps, handlers, process
CHUNK, LOST, SUBBUF = struct.Struct("<IHHIIIIQ"), 6, 5
LINE = re.compile(r'"kind":"(\w+)".*?"pid":(\d+),"tid":(\d+)(?:.*?"function":"(\w+)")?(.*)')


def progress_of(path):
    with open(path, "rb") as file:
        data = file.read(PROGRESS.size * (2 * THREADS + 1))
    slots = [PROGRESS.unpack_from(data, PROGRESS.size * i) for i in range(2 * THREADS + 1)]
    return [slot for slot in slots[:-1] if slot[0]], slots[-1][1]


def overwritten_of(path):
    """By thread, from the LOST chunks of the recording (tools/read/recording/format.h)."""
    with open(path, "rb") as file:
        data = file.read()
    at, counts = struct.unpack_from("<I", data, 12)[0], {}
    while at + CHUNK.size <= len(data):
        _, kind, _, size, *_ = CHUNK.unpack_from(data, at)
        if kind == LOST and size >= 24:
            stream, tid, lost, overwritten = struct.unpack_from("<IiQQ", data, at + CHUNK.size)
            if lost:
                raise ValueError(f"thread {tid} has lost {lost} events")
            counts[tid] = overwritten
        at += CHUNK.size + size
    return counts


def events_of(steps):
    return sum(4 + (n % 3 == 0) for n in range(steps))  # the second call of a step is a tail call: one event


class Thread:
    """The remains of a thread: its steps, and the number of events in front of and behind them."""

    def __init__(self):
        self.inner_calls = []  # inner calls of each whole step
        self.events = 0  # events of steps
        self.handler_events = 0
        self.before = 0  # events in front of the first whole step
        self.since = 0  # events since the last one
        self.open = None  # inner calls of the step that is open

    def add(self, kind, function, rest):
        events = 2 if kind == "call" and '"returned":true' in rest else 0 if '"returned":false' in rest else 1
        if kind == "call" and not events:
            events = 1
        inherited = kind != "exit" and '"inherited":true' in rest
        if inherited:  # its entry was overwritten, and is not counted: the sub-buffer says that it was open
            events -= 1
        if function == "in_handler":
            self.handler_events += events
            return
        self.events += events
        self.since += events
        if inherited and not self.inner_calls:
            return
        if kind == "entry" and function == "step":
            if not self.inner_calls:
                self.before = self.since - events
            elif self.open is not None or self.since != events:
                raise ValueError(f"a step begins in a step, after {len(self.inner_calls)}")
            self.open, self.since = 0, events
        elif function == "inner" and kind in ("call", "exit") and self.open is not None:
            self.open += 1
        elif function == "step" and kind == "exit" and self.open is not None:
            self.inner_calls.append(self.open)
            self.open, self.since = None, 0
        elif self.inner_calls and not (function == "inner" and self.open is not None):
            raise ValueError(f"after {len(self.inner_calls)} steps: {kind} of {function}")

    def is_up_to(self, end):
        """Whether the whole steps are the last ones of `end`."""
        first = end - len(self.inner_calls)
        return first >= 0 and all(n == 1 + ((first + i) % 3 == 0) for i, n in enumerate(self.inner_calls))

    def check(self, steps, handlers, overwritten):
        if overwritten and not self.inner_calls:
            least, left = events_of(steps) + 2 * handlers, self.events + self.handler_events
            if not (left <= 5 + 2 and least <= overwritten + left <= least + 5 + 2):  # a step and a handler
                raise ValueError(f"{steps} steps and {handlers} handlers have returned; {overwritten} events were overwritten, {left} are recorded")
            return
        if overwritten is None and (self.before or not steps <= len(self.inner_calls) <= steps + 1):
            raise ValueError(f"{steps} steps have returned, {len(self.inner_calls)} are recorded")
        for end in (steps, steps + 1):
            events = events_of(end) + self.since
            in_handlers = self.events + self.handler_events + (overwritten or 0) - events
            if self.is_up_to(end) and 2 * handlers <= in_handlers <= 2 * handlers + 2:
                return
        raise ValueError(f"{steps} steps and {handlers} handlers have returned; {len(self.inner_calls)} steps and "
                         f"{self.events} + {self.handler_events} events are recorded, {overwritten} were overwritten")


def threads_of(nophook, data, env):
    threads = {}
    with subprocess.Popen([nophook, "report", "--json", data], env=env, stdout=subprocess.PIPE, text=True) as report:
        for line in report.stdout:
            kind, pid, tid, function, rest = LINE.search(line).groups()
            if kind in ("entry", "call", "exit"):
                threads.setdefault((int(pid), int(tid)), Thread()).add(kind, function, rest)
    if report.returncode:
        raise ValueError(f"report ends with status {report.returncode}")
    return threads


def check_children(threads, ended, overwrites):
    whole = 0
    for (pid, _), thread in threads.items():
        if not thread.is_up_to(len(thread.inner_calls)) or len(thread.inner_calls) > CHILD_STEPS or thread.before:
            raise ValueError(f"child {pid} has made {len(thread.inner_calls)} steps, {thread.before} events before")
        whole += len(thread.inner_calls) == CHILD_STEPS
    if whole < ended:
        raise ValueError(f"{ended} children have ended, {whole} are recorded whole ({'overwriting' if overwrites else ''})")


def run_once(nophook, runtime, program, scratch, mode, rng):
    path, data = os.path.join(scratch, "progress"), os.path.join(scratch, "data")
    with open(path, "wb") as file:
        file.truncate(4096)
    env = dict(os.environ, XDG_RUNTIME_DIR=scratch)
    target = [program, path, "200" if mode["overwrites"] else "3000"] + (["forks"] if mode["forks"] else [])
    if mode["recorder"]:
        options = ["--overwrite", "-m", "1"] if mode["overwrites"] else []
        command = [nophook, "record", *options, "-o", data, "--", *target]
    else:
        command = target
        size = "buffer_size_kb=1024 buffer_mode=overwrite" if mode["overwrites"] else "buffer_size_kb=65536"
        env.update(NOPHOOK=f"current_tracer=function_graph {size}", LD_PRELOAD=runtime)
    child = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 300  # only if nothing happens at all
    while not (len(progress_of(path)[0]) == THREADS * (1 + mode["forks"]) and all(slot[1] for slot in progress_of(path)[0])):
        if child.poll() is not None or time.monotonic() > deadline:
            os.killpg(child.pid, signal.SIGKILL)
            sys.exit(f"the program does not run: {child.communicate()[1]}")
        time.sleep(0.0002)
    time.sleep(rng.random() * (0.04 if mode["overwrites"] else 0.012))
    death = rng.choice(DEATHS)
    pids = sorted({slot[3] for slot in progress_of(path)[0]}, reverse=True)
    for pid in pids:
        os.kill(pid, death)
    child.communicate()
    slots, ended = progress_of(path)
    if not mode["recorder"]:
        folder = os.path.join(scratch, "nophook")
        wait_for_children(folder, deadline)
        subprocess.run([nophook, "recover", "-o", data, folder], env=env, check=True, capture_output=True)
        subprocess.run([nophook, "recover", "--clean", folder], env=env, check=True, capture_output=True)
    threads = threads_of(nophook, data, env)
    overwritten = overwritten_of(data)
    for tid, steps, handlers, pid in slots:
        try:
            threads.pop((pid, tid), Thread()).check(steps, handlers, overwritten.get(tid, 0) or None)
        except ValueError as error:
            raise ValueError(f"killed by {death.name}: thread {tid}: {error}") from error
    check_children({key: thread for key, thread in threads.items() if key[0] not in pids}, ended, mode["overwrites"])
    return sum(slot[1] for slot in slots), sum(overwritten.values()), ended


def lives(pid):
    """A process is gone when its last thread is: until then recover leaves its buffer. The first may be a zombie long before."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return False
    return any(is_running(f"/proc/{pid}/task/{task}/stat") for task in tasks)


def is_running(stat):
    try:
        with open(stat, encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for_children(folder, deadline):
    """A child may be about to end, and a killed process is."""
    pids = {int(name.split("-")[0]) for name in os.listdir(folder) if name.endswith(".buf")}
    while any(lives(pid) for pid in pids):
        if time.monotonic() > deadline:
            raise ValueError("a child does not end")
        time.sleep(0.001)


def main():
    nophook, runtime, program, scratch, runs, seed = sys.argv[1:7]
    os.makedirs(scratch, mode=0o700, exist_ok=True)
    rng = random.Random(int(seed))
    totals = [0, 0, 0]
    for run in range(int(runs)):
        mode = {"recorder": run & 1, "overwrites": run >> 1 & 1, "forks": run >> 2 & 1}
        try:
            totals = [a + b for a, b in zip(totals, run_once(nophook, runtime, program, scratch, mode, rng))]
        except (ValueError, KeyError, subprocess.CalledProcessError) as error:
            sys.exit(f"run {run} of seed {seed}, {mode}: {error!r}")
    left = [name for name in os.listdir(os.path.join(scratch, "nophook")) if name.endswith(".buf")]
    if left:
        sys.exit(f"not cleaned: {left}")
    print(f"{runs} runs, {totals[0]} steps, {totals[1]} events overwritten, {totals[2]} children")


main()
