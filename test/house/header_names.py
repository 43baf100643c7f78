#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two headers that one program may include have the same file name.

`#include "signals.h"` means another file in another folder, and a reader has to know the order
of the compiler's folders. So within one program's folders a name is there once. EXCEPTIONS has the
others with the reason; one that is no longer needed is a problem, too.

    header_names.py ROOT      prints what is wrong; exit 1 if anything is
"""

import pathlib
import sys

# The folders of headers that may be included together. A folder belongs to the first program that names it or a folder around it.
PROGRAMS = {
    "the runtime": ["include", "runtime", "test/unit/runtime", "test/runtime/arch"],
    "the command": ["include", "tools", "machine", "test/unit/tools", "test/fuzz"],
    "the plugin": ["include", "llvm-pass", "machine", "prototypes"],
    "recordmcount": ["include", "recordmcount", "analysis", "machine", "prototypes"],
    "tests": ["include", "test"],
}
ELSEWHERE = {"tests": ["test/unit", "test/runtime/arch", "test/fuzz"]}  # folders that are of other programs

EXCEPTIONS = {
    ("the runtime", "cpu.h"): "each CPU's folder has one, and runtime/arch/cpu.h selects it by its folder",
}
CPUS = (pathlib.Path("runtime/arch"), pathlib.Path("machine"))  # their folders are one CPU's each, and include no other's


def headers_of(root, program):
    def is_below(path, folders):
        return any(path.is_relative_to(folder) for folder in folders)

    for folder in PROGRAMS[program]:
        for path in sorted((root / folder).rglob("*.h")):
            path = path.relative_to(root)
            if not is_below(path, ELSEWHERE.get(program, [])):
                yield path


def problems(root):
    unused = dict(EXCEPTIONS)
    for program in PROGRAMS:
        by_name = {}
        for path in headers_of(root, program):
            by_name.setdefault(path.name, []).append(path)
        for name, paths in by_name.items():
            # The same name in the folders of several CPUs counts once.
            apart = {path.parent.parent if path.parent.parent in CPUS else path for path in paths}
            if len(apart) > 1 and not unused.pop((program, name), None):
                yield f"{program} may include several headers {name}: {', '.join(map(str, paths))}"
    for program, name in unused:
        yield f"{program} has only one header {name}: the exception is not needed"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(problems(root))
    print("\n".join(found) or f"header_names: {sum(1 for p in PROGRAMS for _ in headers_of(root, p))} headers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
