# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a real program with the plugin and without, and compares file by file.

    builds.py --build BUILD [--llvm 19] [--assembly] [--twice] PROGRAM LEVEL...

PROGRAM     lua, sqlite or zstd, as test/real/Makefile has their sources
LEVEL       -O0 … -Oz; what starts with + is a flag for all of them (+-fcf-protection=full)
--assembly  compares assembly with -g (same_assembly.py) instead of objects (same_code.py)
--twice     compiles once more with the plugin: the objects must be the same bytes

One line for each level; exit 1 at the first difference. Files are compiled in parallel, the
largest first.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import same_assembly
import same_code

FLAGS = {"lua": ["-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3"], "sqlite": [], "zstd": ["-DZSTD_MULTITHREAD"]}


def sources(program, build):
    """Files and include folders."""
    if program == "lua":
        return sorted((build / "src/lua5.4/src").glob("*.c")), [build / "real/lua-include"]
    if program == "sqlite":
        folder = build / "real/sqlite-src"
        return [folder / f"{name}.c" for name in ("sqlite3", "shell", "speedtest1")], [folder]
    folder = build / "src/libzstd"
    files = sorted((folder / "lib").glob("*/*.c")) + sorted((folder / "programs").glob("*.c"))
    return [f for f in files if f.parent.name != "deprecated"], [folder / "lib"]


class Comparison:
    def __init__(self, arguments, flags, scratch):
        self.arguments, self.scratch = arguments, scratch
        folder = "lib/llvm-19" if arguments.llvm == 19 else "lib"
        self.plugin = arguments.plugin or arguments.build / folder / "NophookPass.so"
        self.bin = pathlib.Path(f"/usr/lib/llvm-{arguments.llvm}/bin")
        self.flags = flags

    def compile(self, source, level, kind, extra):
        suffix = ".s" if self.arguments.assembly else ".o"
        # The output's name must not be in the output: the same one for all.
        folder = self.scratch / f"{source.stem}{level}-{kind}"
        folder.mkdir()
        result = folder / ("out" + suffix)
        mode = ["-S", "-g"] if self.arguments.assembly else ["-c"]
        subprocess.run([self.bin / "clang", "-w", level, *mode, *self.flags, *extra, source, "-o", result], check=True)
        return result

    def compare(self, source, level):
        instrument = ["-fplugin=" + str(self.plugin)]
        plain = self.compile(source, level, "plain", [])
        traced = self.compile(source, level, "traced", instrument)
        if self.arguments.twice:
            again = self.compile(source, level, "again", instrument)
            if traced.read_bytes() != again.read_bytes():
                sys.exit(f"{source} {level}: two compilations differ")
        if self.arguments.assembly:
            lines, sites, meant = same_assembly.compare(plain, traced)
            return lines, sites, 0, meant
        functions, instructions, sites, moved, meant = same_code.compare(str(self.bin / "llvm-objdump"), plain, traced)
        assert sites == functions, f"{source} {level}: {sites} sites in {functions} functions"
        return instructions, sites, moved, meant


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--plugin", type=pathlib.Path, help="instead of the one in BUILD")
    parser.add_argument("--llvm", type=int, default=22)
    parser.add_argument("--assembly", action="store_true")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("program", choices=FLAGS)
    arguments, rest = parser.parse_known_args()
    levels = [word for word in rest if word.startswith("-O")]
    added = [word[1:] for word in rest if word.startswith("+")]
    assert levels and len(levels) + len(added) == len(rest), rest
    files, folders = sources(arguments.program, arguments.build)
    assert files, f"no sources of {arguments.program} below {arguments.build}"
    files.sort(key=lambda file: -file.stat().st_size)
    flags = [*FLAGS[arguments.program], *(f"-I{folder}" for folder in folders), *added]
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        comparison = Comparison(arguments, flags, pathlib.Path(scratch))
        jobs = {level: [pool.submit(comparison.compare, file, level) for file in files] for level in levels}
        for level, parts in jobs.items():
            show(arguments, level, added, files, [part.result() for part in parts])


def show(arguments, level, added, files, results):
    units = "lines of assembly" if arguments.assembly else "instructions"
    print(f"{' '.join([arguments.program, level, *added])}: {len(files)} files, {sum(r[1] for r in results)} sites,"
          f" {sum(r[0] for r in results)} {units} the same" + (", twice the same bytes" if arguments.twice else ""), flush=True)
    meant = sorted(name for result in results for name in result[3])
    if meant:
        print(f"  call the loader before they return: {' '.join(meant)}", flush=True)
    if moved := sum(result[2] for result in results):
        print(f"  begin at another alignment: {moved}", flush=True)


main()
