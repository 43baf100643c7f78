# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same calls under every tracer that Debian has: what a call costs, whether it was kept, and what a record takes.

One program (bench/peers/loop.cpp) calls functions (functions.cpp) that are compiled as each tool wants them. In each round
each tool has its turn. A call's cost is its time above the same call without the tool, compiled by the same compiler.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import time

import programs
from common import Line, say, scratch
from memory import memory_at_the_end

CALLS = 1_000_000
KINDS = {  # the program's argument: what it is, the calls
    "leaf": ("a call", CALLS),
    "values": ("a call with three arguments and a result", CALLS),
    "deep": ("a call, 64 frames deep", CALLS),
    "throw": ("an exception through three frames", 20_000),
    "2": ("a call, two threads at a time", CALLS),
    "4": ("a call, four threads at a time", CALLS // 2),
}
BUDGETS = {  # of a call, in the floor of a pair; a function event reads the counter once
    "nophook, function_graph": 1.12, "nophook, function": 0.55, "nophook, profile": 1.1}
BUDGETS_NS = {"nophook, hits": 5}
FUNCTION_BYTES = 9
FLOORS = {"leaf": "floor", "2": "floor2", "4": "floor4"}  # the program's names for two reads of the counter beside a call


@dataclasses.dataclass
class Tool:
    """`record` makes the command that runs a program under the tool. `kept` counts the events that it has kept."""
    name: str
    compiler: str
    flags: list
    record: callable
    kept: callable = None
    count: callable = None  # by the tool's own reader; slower than `kept`, which judges by size: asked once
    link: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    session: callable = contextlib.nullcontext  # context around the command and `kept`, for the folder
    factor: float = 1  # of the calls
    kinds: tuple = ("leaf", "deep", "throw", "2", "4")
    events: int = 2  # of a call
    site: str = ""  # the first byte of leaf() while it is traced, if that is no matter of course
    needs: str = ""  # a program without which the tool is not measured
    program: str = ""
    base: str = ""
    samples: dict = dataclasses.field(default_factory=dict)
    bytes_an_event: list = dataclasses.field(default_factory=list)
    whole: list = dataclasses.field(default_factory=list)
    memory: list = dataclasses.field(default_factory=list)
    faults: list = dataclasses.field(default_factory=list)  # page faults of the calls, "a call"
    said: str = ""  # what the tool says of its clock


def of_nophook(setting, name, *options, kinds=Tool.kinds, events=2):
    nophook = str(setting.build / "bin" / "nophook")

    def kept(folder):
        info = json.loads(subprocess.check_output([nophook, "info", "--json", folder / "nophook.data"], text=True))
        if info["lost"]:
            raise RuntimeError(f"{name}: {info['lost']} events lost")
        return info["events"]

    return Tool(f"nophook, {name}", "clang++-22", [programs.instrument(setting)],
                lambda program, folder: [nophook, "record", *options, "-o", str(folder / "nophook.data"), "--", program],
                kept if events else None, events=events, kinds=kinds,
                link=programs.link_traced(setting))


def kept_by_uftrace(folder):
    """An event takes 16 bytes."""
    return sum(file.stat().st_size for file in (folder / "uftrace.data").glob("[0-9]*.dat")) // 16


def kept_by_xray(folder):
    """No event takes less than 8 bytes."""
    log, = folder.glob("xray-log.*")
    return log.stat().st_size // 8


def counted_by_xray(program, folder):
    log, = folder.glob("xray-log.*")
    rows = subprocess.check_output(["llvm-xray-22", "account", "--format=csv", "-m", program, log], text=True).splitlines()[1:]
    return 2 * sum(int(row.split(",")[1]) for row in rows)


def counted_by_babeltrace(_, folder):
    """A line for each event."""
    with subprocess.Popen(["babeltrace2", folder / "lttng"], stdout=subprocess.PIPE) as reader:
        lines = sum(block.count(b"\n") for block in iter(lambda: reader.stdout.read(1 << 20), b""))
    if reader.returncode:
        raise RuntimeError("babeltrace2 cannot read the recording")
    return lines


def kept_by_lttng(folder):
    """Its own count of losses must be 0. No event takes less than 8 bytes."""
    subprocess.run(["lttng", "stop", "nophook-bench"], check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.check_output(["lttng", "list", "nophook-bench", "-u"], text=True)
    lost = sum(int(number) for number in re.findall(r"(?:Discarded|Lost) \w+: (\d+)", listed))
    if lost:
        raise RuntimeError(f"LTTng-UST: {lost} events lost")
    return sum(file.stat().st_size for file in (folder / "lttng").rglob("*") if file.is_file()) // 8


def tools(setting, folder):
    uprobe = folder / "uprobe"
    subprocess.run(["clang-22", "-O2", setting.root / "bench/peers/uprobe.c", "-o", uprobe], check=True)

    def probe(suffix):
        return lambda program, _: [str(uprobe), f"{offset_of(program, '_Z4leafl')}{suffix}", program]

    def run(program, _):
        return [program]

    xray = ["-fxray-instrument", "-fxray-instruction-threshold=1"]
    found = [
        of_nophook(setting, "function_graph", "-p", "function_graph"),
        of_nophook(setting, "function", "-p", "function", events=1, kinds=("leaf", "deep", "2", "4")),
        of_nophook(setting, "function_graph with arguments and result", "-p", "function_graph", "-a", "-r", kinds=("values",)),
        of_nophook(setting, "function, compressed", "-p", "function", "-z", events=1, kinds=("leaf",)),
        # Nothing is copied while the program runs: what the recorder takes of a second CPU is the difference.
        of_nophook(setting, "function_graph, a flight recorder", "-p", "function_graph", "--overwrite", events=0,
                   kinds=("leaf", "2", "4")),
        of_nophook(setting, "profile", "-p", "profile", events=0, kinds=("leaf", "deep", "2", "4")),
        of_nophook(setting, "hits", "-p", "hits", events=0, kinds=("leaf", "deep", "2", "4")),
        Tool("LLVM XRay, FDR", "clang++-22", xray, run, kept_by_xray, counted_by_xray, link=["-fxray-instrument", str(folder / "xray_start.o")]),
        Tool("gprof", "g++", ["-pg"], run, link=["-pg"], events=0, kinds=("leaf", "deep", "2", "4")),
        Tool("-finstrument-functions, least hooks", "g++", ["-finstrument-functions"], run, link=[str(folder / "hooks.o")]),
    ]
    record = ["uftrace", "record", "--no-event", "--no-libcall", "-b", "64m"]
    found += [
        Tool("uftrace, -pg", "g++", ["-pg", "-mfentry"], kept=kept_by_uftrace, link=["-pg"], needs="uftrace",
             record=lambda program, to: [*record, "-d", str(to / "uftrace.data"), program]),
        Tool("uftrace, patchable entries", "g++", ["-fpatchable-function-entry=5"], kept=kept_by_uftrace, needs="uftrace",
             record=lambda program, to: [*record, "-P", ".", "-d", str(to / "uftrace.data"), program]),
        Tool("uftrace, -pg, with arguments and result", "g++", ["-pg", "-mfentry"], link=["-pg"], kinds=("values",), needs="uftrace",
             record=lambda program, to: [*record, "-A", "numbers@arg1,arg2,arg3", "-R", "numbers@retval", "-d",
                                         str(to / "uftrace.data"), program]),
        Tool("LTTng-UST, cyg-profile-fast", "g++", ["-finstrument-functions"], run, kept_by_lttng, counted_by_babeltrace, needs="lttng",
             environment={"LD_PRELOAD": "liblttng-ust-cyg-profile-fast.so"}, session=lttng_session),
        Tool("perf uprobe (counted only)", "g++", [], probe(""), factor=0.02, kinds=("leaf",), events=0),
        # Since 6.18, Linux replaces the breakpoint on a NOP of five bytes by a call when it has been hit. No file says so:
        # the bytes of the site do.
        Tool("perf uprobe on our NOP (counted only)", "clang++-22", [programs.instrument(setting)], probe(""), factor=0.02,
             kinds=("leaf",), events=0, link=programs.link_traced(setting), site="e8"),
        Tool("perf uretprobe (counted only)", "g++", [], probe("r"), factor=0.02, kinds=("leaf",), events=0),
    ]
    return found


def offset_of(program, symbol):
    """The offset of a symbol's code in the file, where text lies at its own offset plus a constant."""
    value = next(int(line.split()[0], 16) for line in subprocess.check_output(["llvm-nm-22", program], text=True).splitlines()
                 if line.endswith(f" {symbol}"))
    for line in subprocess.check_output(["llvm-readelf-22", "-lW", program], text=True).splitlines():
        found = re.match(r"\s+LOAD\s+(\w+) (\w+) \w+ (\w+) \w+ R E", line)
        if found:
            offset, address, size = (int(number, 16) for number in found.groups())
            if address <= value < address + size:
                return value - address + offset
    raise RuntimeError(f"{program}: no text with {symbol}")


def build(setting, folder, all_tools):
    """Each tool's program, and one without a tool for each compiler."""
    sources = setting.root / "bench" / "peers"

    def compile_one(compiler, source, result, *flags):
        subprocess.run([compiler, "-O2", "-w", *flags, "-c", sources / source, "-o", folder / result], check=True)
        return str(folder / result)

    loop = compile_one("clang++-22", "loop.cpp", "loop.o", f"-I{setting.root}/include")
    compile_one("gcc", "hooks.c", "hooks.o")
    compile_one("clang++-22", "xray_start.cpp", "xray_start.o")
    for number, tool in enumerate([*all_tools, Tool("plain", "clang++-22", [], None), Tool("plain", "g++", [], None)]):
        functions = compile_one(tool.compiler, "functions.cpp", f"functions{number}.o", *tool.flags)
        program = folder / (f"plain-{tool.compiler}" if tool.name == "plain" else f"program{number}")
        subprocess.run([tool.compiler, loop, functions, *tool.link, "-pthread", "-o", program], check=True)
        tool.program, tool.base = str(program), str(folder / f"plain-{tool.compiler}")


@contextlib.contextmanager
def lttng_session(folder):
    """A session of a daemon of our own, if none runs here; what it records goes to the folder."""
    def lttng(*arguments):
        subprocess.run(["lttng", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    daemon = subprocess.Popen(["lttng-sessiond", "--no-kernel"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if subprocess.run(["lttng", "list"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0:
                break
            time.sleep(0.1)
        lttng("create", "nophook-bench", "--output", str(folder / "lttng"))
        lttng("enable-channel", "-u", "--subbuf-size", "8M", "--num-subbuf", "16", "all")
        lttng("enable-event", "-u", "-c", "all", "lttng_ust_cyg_profile*")
        lttng("start")
        yield
        lttng("destroy", "nophook-bench")
    finally:
        daemon.terminate()
        daemon.wait()


def ns_of(text):
    """A tool may print before the program does."""
    return float(next(line for line in text.splitlines() if re.fullmatch(r"[\d.]+", line)))


def environment_of(tool):
    return {**os.environ, **tool.environment}


def run_once(tool, kind, calls):
    """Nanoseconds of a call inside the program, and of the whole command; what was kept is checked."""
    if tool.needs and not shutil.which(tool.needs):
        raise RuntimeError(f"{tool.needs} is not installed")
    with scratch() as folder, tool.session(folder):
        begin = time.perf_counter()
        done = subprocess.run([*tool.record(tool.program, folder), kind, str(calls)], cwd=folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment_of(tool))
        whole = time.perf_counter() - begin
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            raise RuntimeError(said[-1])
        ns = ns_of(done.stdout)
        site = re.search("^site (..)(.*)$", done.stdout, re.MULTILINE)
        if tool.site and site[1] != tool.site:
            raise RuntimeError(f"this kernel has not replaced the breakpoint by a call: the site is {site[1]}{site[2]}")
        threads = int(kind) if kind.isdigit() else 1
        frames = 3 if kind == "throw" else 1
        each = min(tool.events, 1) if kind == "throw" else tool.events  # a frame that an exception leaves may have no exit
        events = each * calls * threads * frames
        kept = tool.kept and tool.kept(folder)
        if kind == "leaf" and tool.count and not tool.whole:
            kept = tool.count(tool.program, folder)
        if kept is not None and kept < events:
            raise RuntimeError(f"{tool.name}, {kind}: {events - kept} of {events} events are not there")
        tool.said = tool.said or next((line for line in done.stderr.splitlines() if "TSC" in line), "")
        if kind == "leaf":
            tool.faults.append(int(re.search(r"^faults (\d+)$", done.stdout, re.MULTILINE)[1]))
        if kind == "leaf" and tool.kept:
            size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            tool.bytes_an_event.append(size / events)
            tool.whole.append(whole * 1e9 / calls)
    return ns


def memory_once(tool):
    with scratch() as folder, tool.session(folder):
        command = [*tool.record(tool.program, folder), "leaf", str(CALLS), "wait"]
        return memory_at_the_end(command, tool.program, cwd=folder, env=environment_of(tool))


def measure(setting):
    with scratch() as folder:
        all_tools = tools(setting, folder)
        build(setting, folder, all_tools)
        bases = {(base, kind): [] for base in {tool.base for tool in all_tools} for kind in [*KINDS, *FLOORS.values()]}
        failed = {}
        for number in range(setting.rounds(9, 5)):
            say(f"peers: round {number + 1}")
            for (base, kind), samples in bases.items():
                calls = KINDS["4"][1] if kind == "floor4" else KINDS.get(kind, ("", CALLS))[1]
                samples.append(ns_of(subprocess.check_output([base, kind, str(calls)], text=True)))
            for tool in all_tools if number % 2 else reversed(all_tools):
                for kind in tool.kinds:
                    if (tool.name, kind) in failed:
                        continue
                    try:
                        ns = run_once(tool, kind, max(int(KINDS[kind][1] * tool.factor), 1000))
                        tool.samples.setdefault(kind, []).append(ns - bases[tool.base, kind][-1])
                    except (OSError, RuntimeError, StopIteration, subprocess.CalledProcessError) as error:
                        failed[tool.name, kind] = str(error)
        return lines_of(all_tools, bases, failed) + memory_lines(setting, all_tools)


def memory_lines(setting, all_tools):
    plain = Tool("the program without a tool", "", [], lambda program, _: [program], program=all_tools[0].base)
    measured = [plain, *(tool for tool in all_tools if "leaf" in tool.samples and tool.factor == 1)]
    failed = {}
    for number in range(setting.rounds(5, 2)):
        for tool in measured if number % 2 else measured[::-1]:
            try:
                tool.memory.append(memory_once(tool))
            except (OSError, RuntimeError, StopIteration, subprocess.CalledProcessError) as error:
                failed[tool.name] = str(error)
    lines = []
    for what, name in (("peak memory of the traced program", "peak"), ("memory of the program and of the tool's processes", "together")):
        for tool in measured:
            line = Line(f"peers: {what}, a million calls", tool.name, "MiB", [getattr(one, name) for one in tool.memory])
            if tool.name in failed:
                line = Line(line.group, f"{tool.name}: not measured", note=failed[tool.name])
            elif tool is not plain and plain.memory:
                line.against("without", [getattr(one, name) for one in plain.memory])
            if name == "peak" and line.samples:
                last = tool.memory[-1]
                line.note = (f"shared memory {last.shared:.1f} MiB, anonymous {last.anonymous:.1f} MiB; "
                             f"the tool's other processes {last.others:.1f} MiB")
            lines.append(line)
    return lines


def lines_of(all_tools, bases, failed):
    lines = []
    clang = next(tool.base for tool in all_tools if tool.compiler == "clang++-22")
    floors = {kind: [above - alone for above, alone in zip(bases[clang, name], bases[clang, kind])] for kind, name in FLOORS.items()}
    for kind, (what, _) in KINDS.items():
        group = f"peers: {what} (nanoseconds above the untraced call)"
        if kind in floors:
            lines.append(Line(group, "two reads of the time-stamp counter (the floor of a pair)", "ns", floors[kind]))
        first = next((tool for tool in all_tools if kind in tool.samples), None)
        for tool in all_tools:
            if (tool.name, kind) in failed:
                lines.append(Line(group, f"{tool.name}: not measured", note=failed[tool.name, kind]))
            elif kind in tool.samples:
                line = Line(group, tool.name, "ns", tool.samples[kind])
                reference = ("floor", floors[kind]) if kind in floors else (first.name, first.samples[kind])
                if kind in floors or tool is not first:
                    line.against(*reference)
                if kind == "leaf":
                    line.note = f"{statistics.median(tool.faults):,.0f} page faults of the program{'; ' * bool(tool.said)}{tool.said}"
                if kind == "leaf" and (budget := BUDGETS.get(tool.name)):
                    line.within(f"<= {budget} x floor", line.ratio, budget)
                if kind == "leaf" and (limit := BUDGETS_NS.get(tool.name)):
                    line.within(f"<= {limit} ns", line.median, limit)
                lines.append(line)
    for name, attribute, unit in (("whole command, a million calls, for each (nanoseconds)", "whole", "ns"),
                                  ("bytes of an event on the disk", "bytes_an_event", "bytes")):
        ours = getattr(all_tools[0], attribute)
        for tool in all_tools:
            if values := getattr(tool, attribute):
                line = Line(f"peers: {name}", tool.name, unit, values)
                if unit == "bytes" and tool.name.startswith("nophook, function") and tool.events == 1:
                    line.within(f"<= {FUNCTION_BYTES} bytes", line.median, FUNCTION_BYTES)
                lines.append(line if values is ours else line.against(all_tools[0].name, ours))
    return lines

