# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with sites that trace nothing, against the uninstrumented build: SQLite's time, and
for both real programs what no load on the machine can change, their instructions."""

import re
import shutil
import subprocess

import instructions
import programs
from common import Line, processor_seconds, scratch

GROUP = "SQLite and Lua with sites, untraced, against the uninstrumented build"


def measure(setting):
    lua, sqlite = programs.real_programs(setting)
    demo = str(setting.root / "examples/demo.lua")
    return [
        run_time(setting, sqlite, ["--size", "5"]),
        executed(setting, lua, [demo, "1"], "demo.lua 1"),
        executed(setting, sqlite, ["--size", "1", "--testset", "main"], "speedtest1 --size 1"),
    ]


def paths(setting, program):
    return [str(setting.build / "real" / (program.binary + end)) for end in ("-plain", "")]


def run_time(setting, program, arguments):
    plain, traced = paths(setting, program)
    turns = {"plain": plain, "traced": traced, "again": plain}
    samples = {turn: [] for turn in turns}
    for number in range(setting.rounds(21, 7)):
        for turn in turns if number % 2 else reversed(turns):
            samples[turn].append(1000 * processor_seconds([turns[turn], *arguments]))
    control = Line(GROUP, "", "", samples["again"]).against("", samples["plain"])
    line = Line(GROUP, f"run time, speedtest1 {' '.join(arguments)}", "ms", samples["traced"])
    line.note = ("user + system time; the plain build against itself in the same turns: "
                 f"{control.ratio:.3f} x, best {control.best_ratio:.3f} x")
    return line.against("plain build", samples["plain"]).within("<= 1.01 x", line.ratio, 1.01)


def calls(setting, path, arguments):
    """The number of times that a site is passed: the events of a whole run."""
    with scratch() as folder:
        command = [str(setting.build / "bin/nophook"), "record", "-p", "function", "-o", str(folder / "data"), "--", path]
        said = subprocess.run([*command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    found = re.search(r"(\d+) events of .* 0 events lost", said.stderr)
    return int(found[1]) if found else None


def executed(setting, program, arguments, what):
    line = Line(GROUP, f"instructions, {what}", "million")
    if not shutil.which("valgrind"):
        line.note = "not measured: needs valgrind"
        return line
    plain, traced = (instructions.count([path, *arguments]) for path in paths(setting, program))
    line.samples = [traced / 1e6]
    line.against("plain build", [plain / 1e6])
    passed = calls(setting, paths(setting, program)[1], arguments)
    if passed:
        # Each site is one NOP, which counts as an instruction and hardly costs a cycle.
        line.note = (f"{passed:,} times a NOP at an entry: {100 * passed / plain:.2f} %; "
                     f"without them {100 * (traced - passed - plain) / plain:+.3f} %")
        rest = (traced - passed) / plain
        return line.within("<= 1.01 x but for NOPs", rest, 1.01)
    return line
