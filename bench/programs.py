# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lua and SQLite as material for measurements: their sources, flags, and builds of them.

test/real/Makefile knows how their sources come about and builds them at -O2, with the plugin
and without (`real_programs`). A build that needs other flags is made here, into a scratch folder.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import struct
import subprocess

from common import say

CLANG = "clang-22"


@dataclasses.dataclass
class Program:
    name: str
    binary: str  # as test/real/Makefile names it, and with -plain behind
    sources: list
    flags: list
    libraries: list


def real_programs(setting):
    """Both programs, built; an error reports what is missing."""
    done = subprocess.run(["make", f"BUILD={setting.build}", "-s", "-j2", "-f", "test/real/Makefile", "lua", "sqlite"],
                          cwd=setting.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        say(done.stdout)
        raise RuntimeError("Lua or SQLite did not build (./do test fetches their sources)")
    lua = sorted(p for p in (setting.build / "src/lua5.4/src").glob("*.c") if p.stem != "luac")
    sqlite = setting.build / "real/sqlite-src"
    return [
        Program("Lua", "lua", lua, ["-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3", f"-I{setting.build}/real/lua-include"],
                ["-Wl,-E", "-lm", "-ldl"]),
        Program("SQLite", "speedtest1", [sqlite / "sqlite3.c", sqlite / "speedtest1.c"], [f"-I{sqlite}"],
                ["-lm", "-ldl", "-lpthread"]),
    ]


def instrument(setting):
    return f"-fplugin={setting.build}/lib/NophookPass.so"


def link_traced(setting):
    """Options for clang's driver."""
    return ["-fuse-ld=lld", f"-Wl,-T,{setting.build}/share/nophook/ftrace.lds", f"{setting.build}/lib/nophook_module.o"]


def compile_command(program, source, flags, result):
    return [CLANG, "-w", *flags, *program.flags, "-c", str(source), "-o", str(result)]


def build_traced(setting, program, flags, folder):
    """A traced build with other flags; its path."""
    def compile_one(source):
        result = folder / (source.stem + ".o")
        subprocess.run(compile_command(program, source, [*flags, instrument(setting)], result), check=True)
        return str(result)

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(compile_one, program.sources))
    result = str(folder / program.binary)
    subprocess.run([CLANG, *objects, *link_traced(setting), *program.libraries, "-o", result], check=True)
    return result


def section_bytes(path):
    """Sizes of a linked file's sections by name."""
    data = pathlib.Path(path).read_bytes()
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
    found = {}
    for name, _, _, _, _, bytes_ in sections:
        start = sections[names][4] + name
        found[data[start:data.index(b"\0", start)].decode()] = bytes_
    return found
