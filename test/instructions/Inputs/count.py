#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of the pass, of recordmcount and of the readers (--calls: of traced calls), and compares them with
those of the last commit.

    count.py BUILD CLANG COUNTS FOLDER [--calls] [--write]

valgrind and qemu count; no load on the machine and no CPU changes what it sees. A recording has the clock `counter`, so it is
the same each time but for addresses. COUNTS is a table: what, and the thousands of instructions. A count that is more than
TOLERANCE above is a failure; one that is as much below is one, too, since a gain that is not written down can be lost in
silence. --write puts the new counts there instead.
"""

import argparse
import itertools
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "bench"))
import instructions  # noqa: E402

TOLERANCE = 0.03  # packages of the compiler and of the C library that are newer by some patches change as much
FUNCTIONS = 150
FEW, MANY = 1_000, 21_000  # calls of work()
PROGRAM = """
#include <stdlib.h>
__attribute__((noinline)) int work(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(int count, char **arguments) {
  for (int i = atoi(arguments[count - 1]); i > 0; i--)
    work(i);
}
"""
READERS = {
    "report --top": "report --top DATA",
    "report": "report DATA",
    "report --json": "report --json DATA",
    "report of function": "report FUNCTION",
    "graph": "graph DATA",
    "latency": "latency work DATA",
    "stack": "stack DATA",
    "diff": "diff DATA DATA",
    "export trace.dat": "export --format trace.dat -o /dev/null DATA",
    "export perfetto": "export --format perfetto -o /dev/null DATA",
    "export chrome": "export --format chrome -o /dev/null DATA",
    "export speedscope": "export --format speedscope -o /dev/null DATA",
    "export firefox": "export --format firefox -o /dev/null DATA",
    "export folded": "export --format folded -o /dev/null DATA",
    "export callgrind": "export --format callgrind -o /dev/null DATA",
    "export pprof": "export --format pprof -o /dev/null DATA",
    "export ctf": "export --format ctf -o NEW DATA",
    "view --index-only": "view --index-only DATA",
}
CALLS = """
#include <ftrace.h>
#include <stdlib.h>
#ifdef LIBRARY
__attribute__((noinline, used)) long work(long first, int second, unsigned char third) {
  first = labs(first);
  __asm__ volatile("" : "+r"(first) : "r"(second), "r"((int)third));
  return first;
}
#else
__attribute__((noinline, used)) long work(long first, int second, unsigned char third) {
  __asm__ volatile("" : "+r"(first) : "r"(second), "r"((int)third));
  return first;
}
#endif
__attribute__((noinline, used, no_instrument_function)) static void call_work(void) {
  work(1, 2, 3);
  __asm__ volatile("" ::: "memory");
}
#ifdef PROBE
__attribute__((no_instrument_function)) static int entered(struct fprobe *probe, unsigned long ip, unsigned long parent,
                                                           struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)parent, (void)regs, (void)data;
  return 0;
}
__attribute__((no_instrument_function)) static void left(struct fprobe *probe, unsigned long ip, unsigned long parent,
                                                         struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)parent, (void)regs, (void)data;
}
#endif
int main(void) {
#ifdef PROBE
  static struct fprobe probe = {
      .entry_handler = entered, .exit_handler = left, .ops.flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS};
  if (register_fprobe(&probe, "work", NULL))
    return 1;
#endif
  for (int i = 0; i < CALLS; i++)
    call_work();
}
"""
# qemu does not promise that the counter of x86-64 runs evenly. So the clock is named; `mono` takes a system call, as on such a CPU.
TSC = "trace_clock=x86-tsc "
SUBBUF_CALLS = (65536 - 64) // 16  # calls of function_graph in a sub-buffer: an entry and an exit of 8 bytes each


class Way:
    """How a call is traced. The mean of the `last` calls counts; the first of all makes the thread's buffer."""

    def __init__(self, settings, calls=3, last=1, macro="PLAIN"):
        self.settings, self.calls, self.last, self.macro = settings, calls, last, macro


WAYS = {
    "function with arguments": Way(TSC + "current_tracer=function trace_options=func-args"),
    "function_graph with arguments and result":
        Way(TSC + "current_tracer=function_graph trace_options=funcgraph-args,funcgraph-retval"),
    "function in an instance": Way(TSC + "instances/one/current_tracer=function"),
    "function_graph in an instance": Way(TSC + "instances/one/current_tracer=function_graph"),
    "function by the clock mono": Way("trace_clock=mono current_tracer=function"),
    "function_graph by the clock mono": Way("trace_clock=mono current_tracer=function_graph"),
    # A ring has at most 12 of the 16 sub-buffers. The last calls begin two sub-buffers again, and have their part of that each.
    "function_graph that overwrites":
        Way(TSC + "buffer_mode=overwrite current_tracer=function_graph", calls=15 * SUBBUF_CALLS, last=2 * SUBBUF_CALLS),
    "fprobe with an entry and an exit handler": Way(TSC, macro="PROBE"),
    "function_graph of a library's function": Way(TSC + "calls=1 set_ftrace_filter=labs current_tracer=function_graph", macro="LIBRARY"),
}


def count(*command):
    """Thousands of instructions in user mode."""
    return instructions.count([str(word) for word in command]) / 1000


def stripped(options, name):
    """A copy of one of our files without debug information, which this valgrind may not read."""
    copy = options.folder / name
    copy.parent.mkdir(exist_ok=True)
    subprocess.run(["llvm-strip-22", options.build / name, "-o", copy], check=True)
    return copy


def write_functions(path):
    path.write_text("".join(f"int f{n}(int a, const char *b, struct s *c) {{ return a * {n + 3} + b[a] + !c; }}\n" for n in range(FUNCTIONS)))
    return path


def pass_counts(options, folder):
    """The costs of the plugin in a compilation, and of recordmcount on the compiler's own output."""
    source, result = write_functions(folder / "functions.c"), folder / "functions.o"
    compile_it = [options.clang, "-w", "-O1", "-c", source, "-o", result]
    plain = count(*compile_it)
    yield "recordmcount, 150 functions", count(stripped(options, "bin/recordmcount"), result)
    yield "pass, 150 functions", count(*compile_it, f"-fplugin={stripped(options, 'lib/NophookPass.so')}") - plain


def reader_counts(options, folder):
    nophook = options.build / "bin" / "nophook"
    source = folder / "calls.c"
    source.write_text(PROGRAM)
    subprocess.run([nophook, "cc", "-O1", source, "-o", folder / "calls"], check=True)
    for calls, tracer in itertools.product((FEW, MANY), ("function_graph", "function")):
        subprocess.run([nophook, "record", "-p", tracer, "-S", "trace_clock=counter", "-o", folder / f"{tracer}-{calls}.data", "--",
                        folder / "calls", str(calls)], check=True, stdout=subprocess.DEVNULL)
    reader, new = stripped(options, "bin/nophook"), folder / "new"
    stripped(options, "lib/nophook_ctf.so")
    yield "nophook --version", count(reader, "--version")
    for name, words in READERS.items():
        counts = []
        for calls in FEW, MANY:
            shutil.rmtree(new, ignore_errors=True)
            paths = {"DATA": folder / f"function_graph-{calls}.data", "FUNCTION": folder / f"function-{calls}.data", "NEW": new}
            counts.append(count(reader, *(paths.get(word, word) for word in words.split())))
        yield f"{name}, 1,000 calls", (counts[1] - counts[0]) / (MANY - FEW) * 1000


def build_calls(options, folder, way):
    """A program of CALLS. qemu takes the rights of a page from what lies in front of it, so the linker is lld, which leaves room
    there. A static program has the runtime in itself; calls into libraries are those of a dynamic one, at a fixed address."""
    source, program = folder / "calls.c", folder / f"calls-{way.macro}-{way.calls}"
    source.write_text(CALLS)
    link, runtime = (["-no-pie", "-Wl,-z,now"], "0") if way.macro == "LIBRARY" else (["-static"], "static")
    subprocess.run([options.build / "bin" / "nophook", "cc", "-O1", "-g", "-fno-builtin", f"-I{ROOT}/include", f"-D{way.macro}",
                    f"-DCALLS={way.calls}", "-fuse-ld=lld", *link, source, "-o", program],
                   check=True, env={**os.environ, "NOPHOOK_RUNTIME": runtime})
    return program


def event_counts(options, folder):
    """The runtime's part of a call, with the handlers of a probe or the library's function."""
    for name, way in WAYS.items():
        program = build_calls(options, folder, way)
        if way.macro == "LIBRARY":
            os.environ["QEMU_SET_ENV"] = f"LD_PRELOAD={options.build / 'lib' / 'libnophook.so'}"
        counts = instructions.count_calls(program, f"buffer_dir={folder} buffer_size_kb=1024 {way.settings}")
        os.environ.pop("QEMU_SET_ENV", None)
        if len(counts) != way.calls:
            sys.exit(f"count.py: {name}: {len(counts)} calls instead of {way.calls}")
        yield f"{name}, 1,000 calls", sum(counts[-way.last:]) / way.last


def read_table(path):
    lines = (line.rsplit(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#"))
    return {name.strip(): float(value) for name, value in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in "build", "clang", "counts", "folder":
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    os.environ.pop("NOPHOOK", None)
    parts = [event_counts] if options.calls else [pass_counts, reader_counts]
    counts = {name: value for part in parts for name, value in part(options, options.folder)}
    if options.write:
        head = [line for line in options.counts.read_text().splitlines() if line.startswith("#")]
        options.counts.write_text("\n".join([*head, *(f"{name:56} {value:.0f}" for name, value in counts.items())]) + "\n")
        return 0
    before, is_same = read_table(options.counts), True
    for name, value in counts.items():
        change = value / before[name] - 1 if name in before else 1
        print(f"{name:56} {value:10.0f} {change:+.1%}")
        is_same = is_same and abs(change) <= TOLERANCE
    if not is_same or set(before) != set(counts):
        sys.exit(f"count.py: a count has changed by more than {TOLERANCE:.0%}: make it right again, or, if it shall be so, write it down by --write")
    return 0


sys.exit(main())
