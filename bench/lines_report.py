# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What reading a recording costs: processor time for an event, and memory whatever its size.

Each reader stands beside `cat` of the same file, which is the least that reading takes."""

import os
import re
import shutil
import subprocess
import time

from common import Line, scratch, usage_of

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

# What, tracer, arguments before the recording, the budget in ns of processor time.
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
)


def elapsed_of(command):
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def measure(setting):
    nophook = str(setting.build / "bin" / "nophook")
    with scratch() as folder:
        (folder / "fib.c").write_text(PROGRAM)
        program = str(folder / "fib")
        subprocess.run([nophook, "cc", "-O1", "-pthread", str(folder / "fib.c"), "-o", program], check=True)

        def record(tracer, *arguments):
            data = str(folder / f"{tracer}.{len(arguments)}.data")
            said = subprocess.run([nophook, "record", "--wait", "60", "-p", tracer, "-o", data, "--", program, *arguments],
                                  check=True, stderr=subprocess.PIPE, text=True).stderr
            return data, int(re.search(r"(\d+) events of", said)[1])

        depth = setting.rounds(31, 27)
        recorded = {tracer: record(tracer, str(depth)) for tracer in ("function_graph", "function")}
        lines, rounds = [], setting.rounds(7, 3)
        for what, tracer, arguments, budget in READERS:
            data, events = recorded[tracer]
            exported_to = folder / f"exported.{len(lines)}"  # each its own: ctf's is a folder, which must be new
            output = [str(exported_to)] if arguments[-1] == "-o" else []
            samples, cats = [], []
            for _ in range(rounds):
                samples.append(usage_of([nophook, *arguments, *output, data]))
                shutil.rmtree(exported_to, ignore_errors=True)
                cats.append(usage_of(["/bin/cat", data])[0])
            line = Line(GROUP, f"{what}, an event", "ns", [1e9 * cpu / events for cpu, _ in samples])
            line.against("cat", [1e9 * cpu / events for cpu in cats])
            if budget:
                line.within(f"<= {budget} ns", line.median, budget)
            memory = Line(GROUP, f"{what}, memory", "MiB", [mib for _, mib in samples])
            memory.within(f"<= {BUDGET_MIB} MiB", max(memory.samples), BUDGET_MIB)
            lines += [line, memory]
        data, events = recorded["function_graph"]
        size = os.stat(data).st_size
        lines[0].note = f"{events / 1e6:.1f} million events, {size >> 20} MiB; an entry and an exit are two"
        exported = Line(GROUP, "trace.dat, of the recording's size", "x",
                        [trace_dat_bytes(nophook, folder, data) / size])
        lines.append(exported.within("<= 1.5 x", exported.median, 1.5))
        data, events = record("function_graph", str(depth - 2), "4")
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
