#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a program that is to be patched, and makes a diff of its sources.

    make.py NOPHOOK DIR [FLAG...]

DIR/src has the sources. A line that ends with `// OLD` is only in the old version, one with `// NEW` only in the new
one. The tree DIR/old has the old version, DIR/fix.diff leads to the new one. DIR/old/build has the program `prog` and
compile_commands.json. FLAGs go to the compiler; -fplugin= of the tests' own is not needed. Sources in DIR/src/lib become
the library libpart.so of the program.
"""

import json
import os
import pathlib
import subprocess
import sys

nophook, root, *flags = sys.argv[1:]
root = pathlib.Path(root).absolute()
here = pathlib.Path(__file__).parent


def version(text, mark, other):
    lines = [line for line in text.split("\n") if not line.endswith(f"// {other}")]
    return "\n".join(line.removesuffix(f"// {mark}").rstrip() for line in lines)


for path in sorted((root / "src").rglob("*")):
    if path.is_dir():
        continue
    text = path.read_text()
    for folder, mark, other in (("old", "OLD", "NEW"), ("new", "NEW", "OLD")):
        target = root / folder / path.relative_to(root / "src")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(version(text, mark, other))
diff = subprocess.run(["diff", "-ruN", "old", "new"], cwd=root, capture_output=True, text=True).stdout
(root / "fix.diff").write_text(diff)

build = root / "old" / "build"
build.mkdir(exist_ok=True)
entries, objects, parts, has_cxx = [], [], [], False
environment = {key: value for key, value in os.environ.items() if not key.startswith("NOPHOOK")}
for source in [*sorted((root / "old").rglob("*.c*")), here / "host.c"]:
    if source.suffix not in (".c", ".cpp"):
        continue
    is_cxx = source.suffix == ".cpp"
    has_cxx |= is_cxx
    name = "-".join(source.relative_to(root / "old").parts) if source.is_relative_to(root) else source.name
    is_part = source.parent == root / "old" / "lib"
    target = str(build / (name + ".o"))
    (parts if is_part else objects).append(target)
    command = [nophook, "c++" if is_cxx else "cc", *(flags or ["-O2"]), *(["-fPIC"] if is_part else []), "-c",
               os.path.relpath(source, build), "-o", target]
    entries.append({"directory": str(build), "file": os.path.relpath(source, build), "arguments": command})
    subprocess.run(command, cwd=build, check=True, env=environment)
(build / "compile_commands.json").write_text(json.dumps(entries, indent=1))
linker = [nophook, "c++" if has_cxx else "cc"]
if parts:
    library = str(build / "libpart.so")
    subprocess.run([*linker, "-shared", *parts, "-o", library, "-Wl,--build-id", "-Wl,-soname,libpart.so"], check=True,
                   env=environment)
    objects += [library, f"-Wl,-rpath,{build}"]
subprocess.run([*linker, *objects, "-o", str(build / "prog"), "-Wl,--build-id",
                *[flag for flag in flags if flag in ("-no-pie",)]], check=True, env=environment)
