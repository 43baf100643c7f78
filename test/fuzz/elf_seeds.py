#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the corpus: elf_seeds.py LLVM_BIN FOLDER

It is kept as text (elf_seeds/): .s for llvm-mc, .c for clang, .yaml for yaml2obj, and .hex, which is
what a fuzzer has found, as it was. A line `# link: LINKER FLAGS` links the object as well.
Some of the objects are put into archives of each kind.
"""

import pathlib
import re
import subprocess
import sys

LINK = re.compile("^# link: (.*)", re.MULTILINE)
SEEDS = pathlib.Path(__file__).resolve().parent / "elf_seeds"


def make(llvm, seed, output):
    triple = "aarch64-linux-gnu" if "aarch64" in seed.name else "x86_64-linux-gnu"
    sites = ["-fpatchable-function-entry=2"] if "aarch64" in seed.name else ["-pg", "-mfentry"]
    if seed.suffix == ".hex":
        lines = [line.partition("#")[0] for line in seed.read_text(encoding="utf-8").splitlines()]
        output.write_bytes(bytes.fromhex("".join(lines)))
        return
    command = {
        ".s": [llvm / "llvm-mc", f"-triple={triple}", "-filetype=obj", seed, "-o", output],
        ".yaml": [llvm / "yaml2obj", seed, "-o", output],
        ".c": [llvm / "clang", f"--target={triple}", "-O1", "-g", *sites, "-c", seed, "-o", output],
    }
    subprocess.run(command[seed.suffix], check=True)
    for number, line in enumerate(LINK.findall(seed.read_text(encoding="utf-8"))):
        linker, *flags = line.split()
        linked = output.with_suffix(f".{number}.elf")
        subprocess.run([llvm / linker, *flags, output, "-o", linked], check=True)


def make_archives(llvm, folder):
    members = ["tables.s.o", "seeds.py", "debug.c.o", "a-name-of-more-than-fifteen-letters.o"]
    (folder / members[1]).write_text("no object\n", encoding="utf-8")
    (folder / members[3]).write_bytes((folder / "tables.s.o").read_bytes())
    for name, flags in {"gnu": ["rcs"], "plain": ["rcS"], "bsd": ["rcs", "--format=bsd"], "thin": ["rcsT"]}.items():
        subprocess.run([llvm / "llvm-ar", *flags, f"{name}.a", *members], check=True, cwd=folder)


def main():
    llvm, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in sorted(SEEDS.iterdir()):
        make(llvm, seed, folder / (seed.name + ".o"))
    make_archives(llvm, folder)


main()
