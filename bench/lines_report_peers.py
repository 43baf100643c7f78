# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same recursive fib, recorded by each tool and read by its own readers: processor time for an event, and memory.

clang compiles all builds at -O1, so that each tool records the same calls: what a tool has kept is compared with our own
count. llvm-xray reads a recording that is shallower by two levels. It holds all events in memory, and converts slowly.
"""

import shutil
import subprocess

from common import Line, scratch
from lines_peers import counted_by_xray, kept_by_uftrace
from lines_report import build, record
from usage import usage_of

GROUPS = {
    "summary": "peers: a recording read, a summary by function",
    "text": "peers: a recording read, all events as text",
    "chrome": "peers: a recording read, Chrome's trace events",
}


def by_nophook(nophook, folder, program, depth):
    data = str(folder / f"{depth}.data")
    events = record(nophook, "function_graph", data, program, str(depth))
    return events, {"summary": ("nophook report --top", [nophook, "report", "--top", data]),
                    "text": ("nophook report", [nophook, "report", data]),
                    "chrome": ("nophook export chrome", [nophook, "export", "--format", "chrome", "-o", "/dev/stdout", data])}


def by_uftrace(uftrace, folder, depth, _):
    program, data = str(folder / "fib-pg"), str(folder / "uftrace.data")
    subprocess.run(["clang-22", "-O1", "-pg", "-mfentry", "-pthread", folder / "fib.c", "-o", program], check=True)
    subprocess.run([uftrace, "record", "--no-event", "--no-libcall", "-b", "64m", "-d", data, program, str(depth)], cwd=folder,
                   check=True)
    return kept_by_uftrace(folder), {"summary": ("uftrace report", [uftrace, "report", "-d", data]),
                                     "text": ("uftrace replay", [uftrace, "replay", "-d", data]),
                                     "chrome": ("uftrace dump --chrome", [uftrace, "dump", "--chrome", "-d", data])}


def by_xray(xray, folder, depth, root):
    program, xray_flags = str(folder / "fib-xray"), ["-fxray-instrument", "-fxray-instruction-threshold=1"]
    subprocess.run(["clang-22", "-O1", *xray_flags, "-c", folder / "fib.c", "-o", folder / "fib-xray.o"], check=True)
    subprocess.run(["clang++-22", "-O2", *xray_flags[:1], folder / "fib-xray.o", root / "bench/peers/xray_start.cpp", "-pthread",
                    "-o", program], check=True)
    subprocess.run([program, str(depth)], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    log, = (str(path) for path in folder.glob("xray-log.*"))
    convert = [xray, "convert", "--symbolize", "-m", program, log, "--output-format"]
    return counted_by_xray(program, folder), {
        "summary": ("llvm-xray account", [xray, "account", "-m", program, log]),
        "text": ("llvm-xray convert, YAML", [*convert, "yaml"]),
        "chrome": ("llvm-xray convert, trace_event", [*convert, "trace_event"])}


def measure(setting):
    nophook = str(setting.build / "bin" / "nophook")
    depth = setting.rounds(31, 23)
    with scratch() as folder:
        program = build(nophook, folder)
        ours = {levels: by_nophook(nophook, folder, program, levels) for levels in (depth, depth - 2)}
        recorded, failed = [ours[depth]], []
        for tool, reader, levels, by_tool in (("uftrace", "uftrace", depth, by_uftrace),
                                              ("LLVM XRay", "llvm-xray-22", depth - 2, by_xray)):
            try:
                if not (path := shutil.which(reader)):
                    raise RuntimeError(f"{reader} is not installed")
                found = by_tool(path, folder, levels, setting.root)
                if found[0] != ours[levels][0]:
                    raise RuntimeError(f"{found[0]} events instead of {ours[levels][0]}")
                recorded.append(found)
            except (OSError, RuntimeError, ValueError, subprocess.CalledProcessError) as error:
                failed.append(Line(GROUPS["summary"], f"{tool}: not measured", note=str(error)))
        return failed + [line for kind in GROUPS for line in lines_of(kind, recorded, setting.rounds(5, 2))]


def lines_of(kind, recorded, rounds):
    samples = [[] for _ in recorded]
    for number in range(rounds):
        turns = list(zip(samples, recorded))
        for mine, (_, readers) in turns if number % 2 else reversed(turns):
            mine.append(usage_of(readers[kind][1]))
    lines, first = [], None
    for mine, (events, readers) in zip(samples, recorded):
        name = readers[kind][0]
        line = Line(GROUPS[kind], f"{name}, an event", "ns", [1e9 * cpu / events for cpu, _ in mine])
        memory = Line(GROUPS[kind], f"{name}, memory", "MiB", [mib for _, mib in mine])
        line.note = f"{events:,} events"
        if first:
            for one, reference in zip((line, memory), first):
                one.against("nophook", reference.samples)
        else:
            first = line, memory
        lines += [line, memory]
    return lines
