# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of the plugin for the compiler and the file: time, sizes of text and tables, and how
many sites the runtime can patch without a trap."""

import json
import os
import shutil
import subprocess

import instructions
import programs
from common import Line, scratch

TIME = "compile time with the plugin, -O2"
SIZE = "size of what is compiled with the plugin, -O2"
PLACE = "sites whose first two bytes lie in one aligned 8-byte word (no trap needed)"
TABLES = ("__mcount_rel", "__ftrace_args", "__ftrace_proto", "__ftrace_str")


def measure(setting):
    both = programs.real_programs(setting)
    lines = [compile_time(setting, program) for program in both]
    lines.append(compile_instructions(setting, both[0]))
    for program in both:
        lines += sizes(setting, program)
    for program in both:
        lines += [words(setting, program, flags) for flags in (["-O2"], ["-Os"], ["-O2", "-fcf-protection=full"],
                                                               ["-Os", "-fcf-protection=full"])]
    return lines


def processor_seconds(commands):
    """User time of commands that run one behind the other."""
    total = 0
    for command in commands:
        pid = os.posix_spawnp(command[0], command, os.environ)
        _, status, usage = os.wait4(pid, 0)
        if status:
            raise RuntimeError(f"{command}: status {status}")
        total += usage.ru_utime
    return total


def compile_time(setting, program):
    turns = {"plain": [], "traced": [programs.instrument(setting)], "again": []}
    samples = {turn: [] for turn in turns}
    with scratch() as folder:
        for number in range(setting.rounds(7, 3)):
            for turn in turns if number % 2 else reversed(turns):
                samples[turn].append(processor_seconds(
                    programs.compile_command(program, source, ["-O2", *turns[turn]], folder / "out.o")
                    for source in program.sources))
    control = Line(TIME, "", "", samples["again"]).against("", samples["plain"])
    line = Line(TIME, program.name, "s", samples["traced"])
    line.note = ("user time of clang, one file behind the other; without the plugin against itself in the same turns: "
                 f"{control.ratio:.3f} x, best {control.best_ratio:.3f} x")
    return line.against("without", samples["plain"]).within("<= 1.02 x", line.ratio, 1.02)


def compile_instructions(setting, program):
    """One file, as valgrind is slow; a small one, where what the plugin costs once weighs most."""
    source = next(s for s in program.sources if s.stem == "lapi")
    line = Line(TIME, f"instructions for {source.name} of Lua", "million")
    if not shutil.which("valgrind") or setting.quick:
        line.note = "not measured: needs valgrind, and not --quick"
        return line
    with scratch() as folder:
        # Valgrind 3.19 stumbles over its debug information.
        plugin = folder / "NophookPass.so"
        subprocess.run(["llvm-strip-22", "-g", f"{setting.build}/lib/NophookPass.so", "-o", str(plugin)], check=True)
        counts = [instructions.count(programs.compile_command(program, source, ["-O2", *extra], folder / "out.o")) / 1e6
                  for extra in ([], [f"-fplugin={plugin}"])]
    line.samples = [counts[1]]
    line.note = "valgrind --tool=callgrind, repeatable; loading and relocating the plugin included"
    return line.against("without", [counts[0]]).within("<= 1.02 x", line.ratio, 1.02)


def sizes(setting, program):
    plain, traced = (programs.section_bytes(setting.build / "real" / (program.binary + end)) for end in ("-plain", ""))
    text = Line(SIZE, f"{program.name}, .text", "bytes", [traced[".text"]]).against("without", [plain[".text"]])
    text.within("<= +2 %", text.ratio, 1.02)
    functions = traced["__mcount_rel"] // 8
    text.note = f"{functions} functions"
    tables = Line(SIZE, f"{program.name}, tables", "bytes", [sum(traced.get(table, 0) for table in TABLES)])
    tables.note = ", ".join(f"{table} {traced.get(table, 0):,}" for table in TABLES)
    tables.note += f": {tables.median / functions:.1f} bytes a function"
    return [text, tables]


def words(setting, program, flags):
    with scratch() as folder:
        path = programs.build_traced(setting, program, flags, folder)
        text = subprocess.run([str(setting.build / "bin/nophook"), "list", "--json", path], check=True,
                              capture_output=True, text=True).stdout
    sites = [json.loads(line)["site"] for line in text.splitlines() if '"site"' in line]
    good = sum(site % 8 != 7 for site in sites)
    line = Line(PLACE, f"{program.name} {' '.join(flags)}", "%", [100 * good / len(sites)])
    line.note = f"{good} of {len(sites)}"
    if "-Os" in flags:
        line.note += "; -Os does not align functions: one in eight crosses a word"
    else:
        line.budget, line.met = "all", good == len(sites)
    return line
