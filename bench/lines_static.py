# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Static tracing: Lua by gcc with -pg -mfentry, its calls of mcount kept, untraced and traced."""

import concurrent.futures
import os
import shutil
import subprocess

import programs
from common import Line, in_turns, processor_seconds, scratch

GROUP = "Lua by gcc, its calls kept (static tracing)"
BUILDS = {  # flags of gcc, options of recordmcount (None: it is not run)
    "plain": ([], None),
    "nops": (["-pg", "-mfentry"], []),
    "kept": (["-pg", "-mfentry"], ["--keep-calls"]),
}


def build(setting, lua, name, folder):
    flags, options = BUILDS[name]

    def compile_one(source):
        result = folder / f"{name}-{source.stem}.o"
        subprocess.run(["gcc", "-O2", "-g", "-w", *flags, *lua.flags, "-c", str(source), "-o", str(result)], check=True)
        return str(result)

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(compile_one, lua.sources))
    if options is not None:
        subprocess.run([str(setting.build / "bin/recordmcount"), "-q", *options, *objects], check=True)
    library = setting.build / "lib"
    subprocess.run([programs.CLANG, *objects, "-fuse-ld=lld", f"-Wl,-T,{setting.build}/share/nophook/ftrace.lds",
                    str(library / "nophook_module.o"), str(library / "nophook_mcount.o"), *lua.libraries,
                    "-o", str(folder / name)], check=True)
    return str(folder / name)


def milliseconds(setting, commands):
    runs = {name: lambda command=command: 1000 * processor_seconds(command) for name, command in commands.items()}
    return in_turns(setting, runs, 15, 5)


def measure(setting):
    if not shutil.which("gcc"):
        return [Line(GROUP, "not measured: no gcc")]
    lua = programs.real_programs(setting)[0]
    script = str(setting.root / "bench/calls.lua")
    with scratch() as folder:
        paths = {name: build(setting, lua, name, folder) for name in BUILDS}
        untraced = milliseconds(setting, {name: [path, script] for name, path in paths.items()})
        record = [str(setting.build / "bin/nophook"), "record", "-p", "function", "-o", str(folder / "data")]
        traced = milliseconds(setting, {
            "nops": [*record, "--", paths["nops"], script],
            "kept": [*record, "--static", "--", paths["kept"], script],
        })
    return [
        Line(GROUP, "untraced, calls made NOPs by recordmcount", "ms", untraced["nops"]).against(
            "plain build", untraced["plain"]),
        Line(GROUP, "untraced, calls kept", "ms", untraced["kept"]).against("plain build", untraced["plain"]),
        Line(GROUP, "recorded by function, calls kept", "ms", traced["kept"]).against("NOPs, recorded", traced["nops"]),
    ]
