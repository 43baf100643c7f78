# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A real program: Debian's Lua, built twice by test/real/Makefile, untraced and recorded."""

import re
import statistics
import subprocess
import time

from common import Line, in_turns, processor_seconds, say, scratch
from programs import section_bytes

UNTRACED = "Lua with sites, untraced, against the uninstrumented build"
RECORDED = "Lua, a call-heavy script recorded whole"
RECORD_LIMIT = 3.5


def measure(setting):
    if not (setting.build / "src" / "lua5.4").exists():
        return [Line(UNTRACED, "not measured: no sources of Lua (./do demo fetches them)")]
    done = subprocess.run(["make", f"BUILD={setting.build}", "-s", "-j2", "-f",
                           "test/real/Makefile", "lua"], cwd=setting.root,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        say(done.stdout)
        return [Line(UNTRACED, "not measured: Lua did not build")]
    plain, traced = (str(setting.build / "real" / name) for name in ("lua-plain", "lua"))
    lines = [
        run_time(setting, plain, traced, "calls.lua",
                 [str(setting.root / "bench/calls.lua")]),
        run_time(setting, plain, traced, "demo.lua 100 (fib, strings, sort)",
                 [str(setting.root / "examples/demo.lua"), "100"]),
        text_growth(plain, traced),
    ]
    return lines + recorded(setting, plain, traced)


def run_time(setting, plain, traced, what, arguments):
    turns = ("plain", "traced", "again")  # the plain build against itself shows the noise
    programs = {"plain": plain, "traced": traced, "again": plain}
    samples = {turn: [] for turn in turns}
    for number in range(setting.rounds(31, 11)):
        for turn in turns if number % 2 else reversed(turns):
            samples[turn].append(1000 * processor_seconds([programs[turn], *arguments]))
    control = Line(UNTRACED, "", "", samples["again"]).against("", samples["plain"])
    line = Line(UNTRACED, "run time, " + what, "ms", samples["traced"])
    line.note = ("user + system time; the plain build against itself in the same turns: "
                 f"{control.ratio:.3f} x, best {control.best_ratio:.3f} x")
    line.against("plain build", samples["plain"])
    return line.within("<= 1.01 x", line.ratio, 1.01)


def text_growth(plain, traced):
    line = Line(UNTRACED, "size of .text", "bytes", [section_bytes(traced)[".text"]])
    line.against("plain build", [section_bytes(plain)[".text"]])
    return line.within("<= +2 %", line.ratio, 1.02)


def script_seconds(output):
    return float(re.search(r"processor time ([\d.]+)", output)[1])


def timed(command):
    """Wall time of the command, processor time of the process that runs the script, stderr."""
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return 1000 * wall, 1000 * script_seconds(done.stdout), done.stderr


def recorded(setting, plain, traced):
    nophook = setting.build / "bin" / "nophook"
    if not nophook.exists():
        return [Line(RECORDED, "not measured: build/bin/nophook is not built")]
    script = [str(setting.root / "bench/calls.lua")]
    found = in_turns(setting, {"base": lambda: timed([plain, *script]), "ours": lambda: recorded_once(nophook, traced, script)}, 11, 3)
    samples = {}
    samples["base wall"], samples["base cpu"], _ = zip(*found["base"])
    samples["wall"], samples["cpu"], samples["bytes"], samples["lost"], samples["events"] = zip(*found["ours"])
    return recorded_lines({name: list(values) for name, values in samples.items()})


def recorded_once(nophook, traced, script):
    """As timed(), and the size of the recording, the events lost and those kept."""
    with scratch() as folder:
        data = folder / "lua.data"
        wall, cpu, said = timed([str(nophook), "record", "-p", "function_graph", "-o", str(data), "--", traced, *script])
        return wall, cpu, disk_bytes(data), number_before("events? lost", said), number_before("events", said)


def disk_bytes(path):
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return sum(p.stat().st_size for p in files)


def number_before(words, text):
    found = re.search(rf"([\d,]+) {words}", text)
    return int(found[1].replace(",", "")) if found else -1


def recorded_lines(samples):
    cpu = Line(RECORDED, "user + system time of the traced process", "ms", samples["cpu"])
    cpu.against("plain build", samples["base cpu"]).within(f"<= {RECORD_LIMIT} x", cpu.ratio,
                                                           RECORD_LIMIT)
    calls = statistics.median(samples["events"]) / 2
    cpu.note = (f"{calls / 1e6:.1f} million calls, untraced one every {1e6 * cpu.reference / calls:.1f} ns; "
                "read at the script's end, discovery of sites and patching included")
    wall = Line(RECORDED, "wall time of the whole command", "ms", samples["wall"])
    wall.against("plain build", samples["base wall"])
    wall.note = "nophook's own start, writing and closing of the file included"
    lost = Line(RECORDED, "events lost", "", samples["lost"])
    lost.note = "mode: a full buffer drops the newest events and counts them"
    lost.budget, lost.met = "0", max(samples["lost"]) == 0 == min(samples["lost"])
    events = statistics.median(samples["events"])
    size = Line(RECORDED, "on disk for an event", "bytes",
                [b / events for b in samples["bytes"]] if events > 0 else [])
    size.note = (f"{events:,.0f} events (an entry and an exit are two), output on tmpfs; "
                 "compared to a tenth, for the headers of blocks")
    if events > 0:
        size.within("<= 8 bytes", round(size.median, 1), 8)
    return [cpu, wall, lost, size]
