# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of each tool's places in the code while nothing is traced: text, a call in a loop, and Lua.

The reference is the same program without them, by the same compiler. Only what can be switched on later is run:
-finstrument-functions and a -pg whose calls are kept cost as much as they cost in the group `peers`. Times depend on where
the linker puts a hot loop, too, by some percent up or down; instructions do not. A NOP is one of them.
"""

import concurrent.futures
import dataclasses
import os
import shutil
import subprocess

import instructions
import programs
from common import Line, in_turns, processor_seconds, scratch
from lines_peers import ns_of

CALLS = 10_000_000
XRAY = ["-fxray-instrument", "-fxray-instruction-threshold=1"]


@dataclasses.dataclass
class Build:
    """`base` are options that the build without the tool needs, too: gcc refuses -mnop-mcount where code is PIC."""
    name: str
    compiler: str
    flags: list = dataclasses.field(default_factory=list)
    link: list = dataclasses.field(default_factory=list)
    base: list = dataclasses.field(default_factory=list)
    is_run: bool = True
    is_in_loop: bool = True

    @property
    def plain(self):
        return f"{self.compiler}{' -fno-pie' if self.base else ''}, without"


def builds(setting):
    tools = [
        Build("nophook: a NOP", "clang", [programs.instrument(setting)], programs.link_traced(setting)),
        # XRay's own choice: large functions and those with loops. The function of the loop is none of them.
        Build("LLVM XRay: sleds", "clang", ["-fxray-instrument"], ["-fxray-instrument"], is_in_loop=False),
        Build("LLVM XRay: sleds in each function", "clang", XRAY, ["-fxray-instrument"]),
        Build("gcc -pg -mfentry -mnop-mcount: a NOP", "gcc", ["-pg", "-mfentry", "-mnop-mcount"], base=["-fno-pie"]),
        Build("gcc -fpatchable-function-entry=5: five NOPs", "gcc", ["-fpatchable-function-entry=5"]),
        Build("gcc -pg -mfentry: a call", "gcc", ["-pg", "-mfentry"], is_run=False),
        Build("gcc -finstrument-functions: two calls", "gcc", ["-finstrument-functions"], is_run=False),
    ]
    plain = {tool.plain: Build(tool.plain, tool.compiler, base=tool.base) for tool in tools}
    return [*plain.values(), *tools]


def compile_one(build, source, result, *flags, cxx=False):
    compiler = {"clang": ["clang-22", "clang++-22"], "gcc": ["gcc", "g++"]}[build.compiler][cxx]
    subprocess.run([compiler, "-O2", "-w", *build.base, *build.flags, *flags, "-c", source, "-o", result], check=True)
    return str(result)


def link(build, objects, libraries, result):
    """By the driver of C++: XRay's runtime is C++."""
    no_pie = ["-no-pie"] if build.base else []
    compiler = {"clang": "clang++-22", "gcc": "g++"}[build.compiler]
    subprocess.run([compiler, *objects, *build.link, *no_pie, *libraries, "-o", result], check=True)
    return str(result)


def build_loop(setting, build, folder):
    """The loop itself has no site: it is compiled as that of the group `peers`."""
    sources = setting.root / "bench" / "peers"
    plain = Build("loop", "clang", base=build.base)
    loop = compile_one(plain, sources / "loop.cpp", folder / "loop.o", f"-I{setting.root}/include", cxx=True)
    functions = compile_one(build, sources / "functions.cpp", folder / "functions.o", cxx=True)
    return link(build, [loop, functions], ["-pthread"], folder / "loop")


def build_lua(build, lua, folder):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(lambda source: compile_one(build, source, folder / f"{source.stem}.o", *lua.flags), lua.sources))
    text = sum(programs.section_bytes(path)[".text"] for path in objects)
    return text, link(build, objects, lua.libraries, folder / "lua") if build.is_run else None


def call_ns(program):
    return ns_of(subprocess.check_output([program, "leaf", str(CALLS)], text=True))


def measure(setting):
    all_builds = builds(setting)
    lua = programs.real_programs(setting)[0]
    script = str(setting.root / "bench/calls.lua")
    demo = str(setting.root / "examples/demo.lua")
    calls, runs, text, executed = {}, {}, {}, {}
    with scratch() as folder:
        for number, build in enumerate(all_builds):
            (folder / str(number)).mkdir()
            text[build.name], program = build_lua(build, lua, folder / str(number))
            if build.is_run:
                runs[build.name] = lambda program=program: 1000 * processor_seconds([program, script])
                if shutil.which("valgrind"):
                    executed[build.name] = [instructions.count([program, demo, "1"]) / 1e6]
            if build.is_run and build.is_in_loop:
                loop = build_loop(setting, build, folder / str(number))
                calls[build.name] = lambda loop=loop: call_ns(loop)
        runs["again"] = runs[all_builds[0].name]
        calls["again"] = calls[all_builds[0].name]
        return [
            *lines_of("peers: a call while nothing is traced (nanoseconds)", "ns", all_builds, in_turns(setting, calls, 15, 5)),
            *lines_of("peers: Lua while nothing is traced, calls.lua", "ms", all_builds, in_turns(setting, runs, 15, 3)),
            *lines_of("peers: instructions of Lua while nothing is traced, demo.lua 1", "million", all_builds, executed),
            *lines_of("peers: text of Lua's objects", "bytes", all_builds, {name: [size] for name, size in text.items()}),
        ]


def lines_of(group, unit, all_builds, samples):
    lines = []
    for build in all_builds:
        if build.name in samples:
            line = Line(group, build.name, unit, samples[build.name])
            if build.flags:
                line.against(build.plain, samples[build.plain])
            elif not lines and "again" in samples:
                control = Line(group, "", unit, samples["again"]).against("", line.samples)
                line.note = (f"against itself in the same turns: {control.ratio:.3f} x, best {control.best_ratio:.3f} x. Where the "
                             "linker puts a hot loop changes a time by some percent, up or down; instructions do not depend on it")
            lines.append(line)
    return lines
