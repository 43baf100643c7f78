# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lua, SQLite and zstd recorded whole, every function of theirs, beside uftrace: the whole command, and what is on the disk.

Nophook's builds are those of test/real/Makefile. uftrace gets builds of its own, by gcc with -pg -mfentry, as its manual has
it, and they are compared with a plain build by gcc: the two compilers do not inline the same functions.
"""

import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import time

import programs
from common import Line, say, scratch

UFTRACE_FLAGS = ["-pg", "-mfentry"]
UFTRACE = ["uftrace", "record", "--no-event", "--no-libcall", "-b", "64m", "-d"]
EVENT_BYTES = 16  # size of uftrace's event


def by_gcc(program, flags, folder):
    def compile_one(source):
        result = folder / f"{source.stem}.o"
        subprocess.run(["gcc", "-O2", "-w", *flags, *program.flags, "-c", source, "-o", result], check=True)
        return result

    folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(compile_one, program.sources))
    result = folder / program.binary
    subprocess.run(["gcc", *flags[:1], *objects, "-Wl,-E", *program.libraries, "-o", result], check=True)
    return str(result)


def zstd_by_gcc(setting, flags, folder):
    shutil.copytree(setting.build / "src" / "libzstd", folder, symlinks=True)
    subprocess.run(["make", "-s", "-j2", "-C", folder / "programs", "zstd", f"CC=gcc {' '.join(flags)}"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return str(folder / "programs" / "zstd")


def builds(setting, folder):
    """The name of each program, its arguments, and its four builds."""
    lua, sqlite = programs.real_programs(setting)
    real = setting.build / "real"
    has_uftrace = shutil.which("uftrace") is not None
    found = []
    for program, arguments in ((lua, [str(setting.root / "examples/demo.lua"), "10"]), (sqlite, ["--size", "2"])):
        paths = {"plain": str(real / f"{program.binary}-plain"), "nophook": str(real / program.binary)}
        if has_uftrace:
            paths |= {"plain, gcc": by_gcc(program, [], folder / f"{program.name}-gcc"),
                      "uftrace": by_gcc(program, UFTRACE_FLAGS, folder / f"{program.name}-pg")}
        found.append((program.name, arguments, paths))
    if (setting.build / "src" / "libzstd").exists():
        subprocess.run(["make", f"BUILD={setting.build}", "-s", "-j2", "-f", "test/real/Makefile", "zstd"], cwd=setting.root,
                       check=True, stdout=subprocess.DEVNULL)
        sample = folder / "sample"
        sample.write_bytes(b"".join(source.read_bytes() for source in sorted(sqlite.sources)))
        paths = {"plain": str(real / "zstd-plain/programs/zstd"), "nophook": str(real / "zstd-traced/programs/zstd")}
        if has_uftrace:
            paths |= {"plain, gcc": zstd_by_gcc(setting, [], folder / "zstd-gcc"),
                      "uftrace": zstd_by_gcc(setting, UFTRACE_FLAGS, folder / "zstd-pg")}
        found.append(("zstd", ["-q", "-f", "-9", "--single-thread", str(sample), "-o", str(folder / "compressed")], paths))
    return found


def run_once(setting, tool, command):
    """Milliseconds of the command, bytes on the disk, and events, of which none may be lost."""
    nophook = str(setting.build / "bin" / "nophook")
    with scratch() as folder:
        data = folder / "data"
        before = {"nophook": [nophook, "record", "-p", "function_graph", "-o", str(data), "--"],
                  "uftrace": [*UFTRACE, str(data)]}.get(tool, [])
        begin = time.perf_counter()
        done = subprocess.run([*before, *command], cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        ms = 1000 * (time.perf_counter() - begin)
        if done.returncode:
            raise RuntimeError(f"{command[0]}: status {done.returncode}: {done.stderr[-300:]}")
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        events = 0
        if tool == "nophook":
            info = json.loads(subprocess.check_output([nophook, "info", "--json", data], text=True))
            if info["lost"]:
                raise RuntimeError(f"nophook has lost {info['lost']} events")
            events = info["events"]
        elif tool == "uftrace":
            events = sum(file.stat().st_size for file in data.glob("[0-9]*.dat")) // EVENT_BYTES
            if "LOST" in done.stderr:
                raise RuntimeError(f"uftrace has lost events: {done.stderr[-300:]}")
    return ms, size, events


def measure(setting):
    lines = []
    with scratch() as folder:
        for name, arguments, paths in builds(setting, folder):
            say(f"whole: {name}")
            samples, failed = {tool: [] for tool in paths}, {}
            for number in range(setting.rounds(9, 3)):
                for tool in list(paths) if number % 2 else reversed(list(paths)):
                    try:
                        if tool not in failed:
                            samples[tool].append(run_once(setting, tool, [paths[tool], *arguments]))
                    except RuntimeError as error:
                        failed[tool] = str(error)
            lines += lines_of(name, samples, failed)
    return lines


def lines_of(name, samples, failed):
    time_group, size_group = (f"peers: {name} recorded whole ({what})" for what in ("whole command", "on the disk"))
    times, sizes = [], []
    for tool, plain in (("plain", None), ("nophook", "plain"), ("plain, gcc", None), ("uftrace", "plain, gcc")):
        if tool in failed:
            times.append(Line(time_group, f"{tool}: not measured", note=failed[tool]))
        if tool in failed or not samples.get(tool):
            continue
        line = Line(time_group, tool, "ms", [ms for ms, _, _ in samples[tool]])
        if plain and samples.get(plain):
            line.against(plain, [ms for ms, _, _ in samples[plain]])
            events = statistics.median(events for _, _, events in samples[tool])
            line.note = f"{events:,.0f} events (an entry and an exit are two), {1e6 * (line.median - line.reference) / events:.1f} ns each"
            sizes.append(Line(size_group, tool, "MiB", [size / (1 << 20) for _, size, _ in samples[tool]]))
        times.append(line)
    if "uftrace" not in samples:
        times.append(Line(time_group, "uftrace: not measured", note="uftrace is not installed"))
    if len(sizes) == 2:
        sizes[1].against("nophook", sizes[0].samples)
    return times + sizes
