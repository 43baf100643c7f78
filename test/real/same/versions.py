# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions have a site with one LLVM version and not with the other?

    versions.py BUILD LEVEL      compiles Lua with both, under -fcf-protection=full

With each, every function of every object must have its site, five bytes `0f 1f 44 00 08` at the
start or behind endbr64, and no other place in it. So what differs between the two is
what one of them inlines and the other does not: those functions are printed.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-w", "-fcf-protection=full", "-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3"]
CODE = re.compile(r"\s+[0-9a-f]+: ((?:[0-9a-f]{2} )+)")
SITE, ENDBR64 = "0f 1f 44 00 08", "f3 0f 1e fa"


def functions(llvm, build, source, level, folder):
    """The functions of one file; ends the program if one has no site."""
    plugin = build / ("lib/llvm-19" if llvm == 19 else "lib") / "NophookPass.so"
    result = folder / f"{source.stem}.{llvm}.o"
    subprocess.run([f"/usr/lib/llvm-{llvm}/bin/clang", *FLAGS, level, f"-I{build}/real/lua-include",
                    f"-fplugin={plugin}", "-c", source, "-o", result], check=True)
    text = subprocess.run([f"/usr/lib/llvm-{llvm}/bin/llvm-objdump", "-d", result], capture_output=True, text=True, check=True).stdout
    found = set()
    for part in re.split(r"\n(?=[0-9a-f]{16} <)", text)[1:]:
        name = re.match(r"[0-9a-f]+ <(.+)>:", part)[1]
        code = [match[1].strip() for match in map(CODE.match, part.splitlines()[1:]) if match]
        first = 1 if code[0] == ENDBR64 else 0
        if code[first] != SITE or SITE in code[first + 1:]:
            sys.exit(f"LLVM {llvm}: {source.name}: {name} begins with {code[:2]}")
        found.add(f"{source.stem}:{name}")
    return found


def main():
    build, level = pathlib.Path(sys.argv[1]), sys.argv[2]
    sources = sorted((build / "src/lua5.4/src").glob("*.c"), key=lambda file: -file.stat().st_size)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = {llvm: [pool.submit(functions, llvm, build, source, level, pathlib.Path(folder)) for source in sources] for llvm in (19, 22)}
        names = {llvm: set().union(*(job.result() for job in parts)) for llvm, parts in jobs.items()}
    print(f"{level}: {len(names[19] & names[22])} functions with a site by both")
    for llvm, other in ((19, 22), (22, 19)):
        print(f"only LLVM {llvm}:", *sorted(names[llvm] - names[other]))


main()
