# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result of a linker for tables from everywhere, in each kind of output.

    linkers.py LINKER CLANG PLUGIN LIB FOLDER [aarch64|by_name]

Links objects of the plugin, of gcc through recordmcount, of gcc's and clang's own
-fpatchable-function-entry, and one by hand whose table is not link-ordered; runs what runs;
prints `KIND: the functions that nophook list shows`, or `KIND: refused: what the linker says`.
by_name: without the script, by the module object that takes bounds that linkers make.
"""

import json
import os
import shutil
import subprocess
import sys

LINKER, CLANG, PLUGIN, LIB, FOLDER = sys.argv[1:6]
IS_AARCH64 = sys.argv[6:] == ["aarch64"]
BY_NAME = sys.argv[6:] == ["by_name"]
BIN = os.path.join(LIB, "..", "bin")
SCRIPT = "-Wl,-T," + os.path.join(LIB, "..", "share", "nophook", "ftrace.lds")
MODULE = os.path.join(LIB, "aarch64-linux-gnu" if IS_AARCH64 else "", "nophook_module_by_name.o" if BY_NAME else "nophook_module.o")
GCC = "aarch64-linux-gnu-gcc" if IS_AARCH64 else "gcc"
CLANG = [CLANG, *(["--target=aarch64-linux-gnu"] if IS_AARCH64 else [])]
RUNNER = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"] if IS_AARCH64 else []
NAMES = ("plugin", "recorded", "gcc_own", "clang_own", "by_hand")
NOPS = f"-fpatchable-function-entry={2 if IS_AARCH64 else 5}"
CALLS = ["-pg"] if IS_AARCH64 else ["-pg", "-mfentry"]
BY_HAND = """
.text
.globl by_hand
.type by_hand, @function
by_hand:
  """ + ("nop; nop; add w0, w0, 1" if IS_AARCH64 else ".byte 0x0f, 0x1f, 0x44, 0, 0; lea 1(%rdi), %eax") + """
  ret
.size by_hand, .-by_hand
.section __mcount_loc, "aw", @progbits
.balign 8
.quad by_hand
.section .note.GNU-stack, "", @progbits
"""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def must(*command):
    done = run(*command)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def compile(name, text, *compiler):
    source = name + (".s" if text is BY_HAND else ".c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    must(*compiler, "-O2", "-fPIC", "-ffunction-sections", "-c", source, "-o", name + ".o")
    return name + ".o"


def make_objects():
    body = "int {0}(int x) {{ return x + 1; }}\nint dead_{0}(int x) {{ return x + 2; }}\n"
    calls = "".join(f"int {name}(int);\n" for name in NAMES) + "int main(void) { return " + "".join(
        f"{name}(" for name in NAMES) + "0" + ")" * len(NAMES) + f" != {len(NAMES)}; }}\n"
    plugin = f"-fplugin={PLUGIN}"
    objects = [compile("main", calls, *CLANG, plugin), compile("plugin", body.format("plugin"), *CLANG, plugin),
               compile("recorded", body.format("recorded"), GCC, *CALLS),
               compile("gcc_own", body.format("gcc_own"), GCC, NOPS),
               compile("clang_own", body.format("clang_own"), *CLANG, NOPS), compile("by_hand", BY_HAND, *CLANG)]
    must(f"{BIN}/recordmcount", "-q", "recorded.o", "gcc_own.o")
    return objects


def result(link, runs=True):
    if link.returncode:
        return "refused: " + " ".join(link.stderr.split())
    if runs and run(*RUNNER, "./out").returncode:
        return "does not run"
    listed = run(f"{BIN}/nophook", "list", "--json", "out")
    names = [json.loads(line).get("function", "?") for line in listed.stdout.splitlines() if '"site"' in line]
    return " ".join(sorted(names)) or listed.stderr.strip()


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    os.chdir(FOLDER)
    objects = make_objects()
    link = [*CLANG, f"-fuse-ld={LINKER}", "-o", "out"]
    if BY_NAME:
        for kind in ("-pie", "-no-pie", "-static", "-shared", "-Wl,--gc-sections"):
            print(f"{kind}: {result(run(*link, kind, *objects, MODULE), kind != '-shared')}")
        return
    for kind in ("-pie", "-no-pie", "-static", "-static-pie", "-shared", "-Wl,--gc-sections"):
        print(f"{kind}: {result(run(*link, kind, *objects, SCRIPT, MODULE), kind != '-shared')}")
    whole = run(*CLANG, f"-fuse-ld={LINKER}", "-r", "-nostdlib", *objects, "-o", "whole.o")
    final = "lld" if LINKER in ("gold", "mold") else LINKER
    print(f"-r: {result(whole if whole.returncode else run(*CLANG, f'-fuse-ld={final}', '-o', 'out', 'whole.o', SCRIPT, MODULE))}")
    print(f"without the script: {result(run(*link, *objects, MODULE))}")


main()
