# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the program of Inputs/everything*.cpp with the plugin, runs it, and checks its list.

    everything.py LLVM-BIN PLUGIN BUILD OUTPUT [--foreign REGEX] [COMPILE-FLAG...] [-- LINK-FLAG...]

Compile flags are handed to the link as well, as users do. Two files, so that there are inline
functions to be merged. `{plugin}` in a flag stands for the plugin's path. Ends with what
listed.py says, or with the first thing that failed.
"""

import os
import subprocess
import sys


def run(*command):
    if status := subprocess.run(command, check=False).returncode:
        sys.exit(f"status {status}: {' '.join(command)}")


def main():
    llvm, plugin, build, output, *flags = sys.argv[1:]
    here = os.path.dirname(os.path.realpath(__file__))
    foreign = ""
    if flags[:1] == ["--foreign"]:
        foreign, flags = flags[1], flags[2:]
    flags = [flag.replace("{plugin}", plugin) for flag in flags]
    split = flags.index("--") if "--" in flags else len(flags)
    compile_flags, link_flags = flags[:split], flags[split + 1:]
    clang = f"{llvm}/clang++"
    objects = []
    for name in ("everything", "everything_other"):
        objects.append(f"{output}.{name}.o")
        run(clang, "-std=c++20", "-Werror", *compile_flags, f"-fplugin={plugin}",
            "-c", f"{here}/Inputs/{name}.cpp", "-o", objects[-1])
    run(clang, *compile_flags, *objects, "-fuse-ld=lld", f"-Wl,-T,{build}/share/nophook/ftrace.lds",
        f"{build}/lib/nophook_module.o", *link_flags, "-o", output)
    printed = subprocess.run([output], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert printed == "65\n", printed
    run(sys.executable, f"{here}/listed.py", f"{build}/bin/nophook", f"{llvm}/llvm-readelf", output, foreign)


main()
