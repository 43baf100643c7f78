# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of reading a recording: processor time for an event, and memory whatever its size.

Each reader stands beside `cat` of the same file, which is the least that reading takes."""

import os
import re
import subprocess
import time

from common import Line, scratch
from usage import usage_of

GROUP = "readers (a recursive fib recorded whole)"
BUDGET_MIB = 64
PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void *run(void *n) { return (void *)(long)fib((int)(long)n); }
int main(int count, char **arguments) {
  pthread_t threads[64];
  long n = atoi(arguments[1]);
  int others = count > 2 ? atoi(arguments[2]) - 1 : 0;
  for (int i = 0; i < others; i++)
    pthread_create(&threads[i], 0, run, (void *)n);
  run((void *)n);
  for (int i = 0; i < others; i++)
    pthread_join(threads[i], 0);
  return 0;
}
"""

# Name, tracer, arguments before the recording, the budget in ns of processor time.
READERS = (
    ("report --top", "function_graph", ["report", "--top"], 25),
    ("report --top of chosen calls", "function_graph", ["report", "--top", "--function", "fib"], None),
    ("graph", "function_graph", ["graph"], None),
    ("latency", "function_graph", ["latency", "fib"], None),
    ("report, text of function_graph", "function_graph", ["report"], 120),
    ("report, text of function", "function", ["report"], 150),
    ("report --json", "function_graph", ["report", "--json"], 350),
    ("export trace.dat", "function_graph", ["export", "--format", "trace.dat", "-o"], 120),
    ("export perfetto", "function_graph", ["export", "--format", "perfetto", "-o"], None),
    ("export ctf", "function_graph", ["export", "--format", "ctf", "-o"], None),
    ("export chrome", "function_graph", ["export", "--format", "chrome", "-o"], None),
    ("export speedscope", "function_graph", ["export", "--format", "speedscope", "-o"], None),
    ("export firefox", "function_graph", ["export", "--format", "firefox", "-o"], None),
    ("export folded", "function_graph", ["export", "--format", "folded", "-o"], None),
    ("export callgrind", "function_graph", ["export", "--format", "callgrind", "-o"], None),
    ("export pprof", "function_graph", ["export", "--format", "pprof", "-o"], None),
    ("stack", "function_graph", ["stack"], None),
    ("diff, of a recording with itself", "function_graph", ["diff"], None),
)


def build(nophook, folder):
    (folder / "fib.c").write_text(PROGRAM)
    subprocess.run([nophook, "cc", "-O1", "-pthread", str(folder / "fib.c"), "-o", str(folder / "fib")], check=True)
    return str(folder / "fib")


def record(nophook, tracer, data, *command):
    """The number of events of the recording."""
    said = subprocess.run([nophook, "record", "--wait", "60", "-p", tracer, "-o", data, "--", *command],
                          check=True, stderr=subprocess.PIPE, text=True).stderr
    return int(re.search(r"(\d+) events of", said)[1])


def elapsed_of(command):
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def measure(setting):
    nophook = str(setting.build / "bin" / "nophook")
    with scratch() as folder:
        program = build(nophook, folder)
        depth = setting.rounds(31, 27)
        data_of = {tracer: str(folder / f"{tracer}.data") for tracer in ("function_graph", "function")}
        events_of = {tracer: record(nophook, tracer, data, program, str(depth)) for tracer, data in data_of.items()}
        lines, rounds = [], setting.rounds(7, 3)
        for what, tracer, arguments, budget in READERS:
            inputs = [data_of[tracer]] * (2 if arguments[0] == "diff" else 1)
            events = events_of[tracer] * len(inputs)
            output = [str(folder / "exported")] if arguments[-1] == "-o" else []
            samples, cats = [], []
            for _ in range(rounds):
                samples.append(usage_of([nophook, *arguments, *output, *inputs]))
                subprocess.run(["rm", "-rf", *output], check=True)  # a file, or ctf's folder, which must be new
                cats.append(usage_of(["/bin/cat", *inputs])[0])
            line = Line(GROUP, f"{what}, an event", "ns", [1e9 * cpu / events for cpu, _ in samples])
            line.against("cat", [1e9 * cpu / events for cpu in cats])
            if budget:
                line.within(f"<= {budget} ns", line.median, budget)
            memory = Line(GROUP, f"{what}, memory", "MiB", [mib for _, mib in samples])
            memory.within(f"<= {BUDGET_MIB} MiB", max(memory.samples), BUDGET_MIB)
            lines += [line, memory]
        data, events = data_of["function_graph"], events_of["function_graph"]
        size = os.stat(data).st_size
        lines[0].note = f"{events / 1e6:.1f} million events, {size >> 20} MiB; an entry and an exit are two"
        exported = Line(GROUP, "trace.dat, of the recording's size", "x",
                        [trace_dat_bytes(nophook, folder, data) / size])
        lines.append(exported.within("<= 1.5 x", exported.median, 1.5))
        data = str(folder / "threads.data")
        events = record(nophook, "function_graph", data, program, str(depth - 2), "4")
        one, all_ = [], []
        for _ in range(rounds):
            one.append(elapsed_of(["taskset", "-c", str(min(os.sched_getaffinity(0))), nophook, "report", "--top", data]))
            all_.append(elapsed_of([nophook, "report", "--top", data]))
        line = Line(GROUP, "report --top, 4 threads, elapsed", "ns", [1e9 * seconds / events for seconds in all_])
        lines.append(line.against("one core", [1e9 * seconds / events for seconds in one]))
    return lines


def trace_dat_bytes(nophook, folder, data):
    output = str(folder / "exported.dat")
    subprocess.run([nophook, "export", "--format", "trace.dat", "-o", output, data], check=True)
    return os.stat(output).st_size
