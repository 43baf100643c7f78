# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the runtime's files once more as its build does, with more flags for everyone.

    own_sources.py BUILD OUTPUT-FOLDER COMPILER FLAG...

The commands are those of BUILD/compile_commands.json, with that compiler; the flags stand where CMake puts
CMAKE_CXX_FLAGS, in front of the target's own. Nothing is optimized: that takes half the time, and
leaves more functions. Prints the object's path for each file.
"""

import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys


def compile_again(entry, folder, compiler):
    words = shlex.split(entry["command"])
    result = folder / (pathlib.Path(entry["file"]).stem + ".o")
    words[words.index("-o") + 1] = str(result)
    subprocess.run([*compiler, *words[1:], "-O0", "-g0"], cwd=entry["directory"], check=True)
    return result


def main():
    build, folder, *compiler = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    ours = [entry for entry in commands if "nophook_runtime.dir" in entry["command"] and entry["file"].endswith(".cpp")]
    assert len(ours) > 10, "no runtime in this build"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for result in pool.map(lambda entry: compile_again(entry, folder, compiler), ours):
            print(result)


main()
