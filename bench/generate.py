#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C program of many small functions: what a large program is to the patching code.

    generate.py FOLDER FILES FUNCTIONS_OF_A_FILE

Each function is about 64 bytes of code with its site, different in its constants so that no
linker folds two of them. run_all(), in a file of its own so that the functions stay close
together, calls each of them directly: no table of pointers, whose relocations would blur the
start-up time.
"""

import pathlib
import sys

FUNCTION = """NOINLINE long f_{file:02}_{n:04}(long x, long y) {{
  x = x * {a} + y;
  y ^= x >> {s};
  x ^= y >> {t};
  x += y * {b};
  return (x ^ y) - {c};
}}
"""


def write_file(folder, file, functions):
    lines = [
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
        "#define NOINLINE __attribute__((noinline))",
    ]
    lines += [f"long f_{file:02}_{n:04}(long x, long y);" for n in range(functions)]
    for n in range(functions):
        k = file * functions + n
        lines.append(FUNCTION.format(file=file, n=n, a=1000003 + 2 * k, b=3000017 + 2 * k,
                                     c=5000011 + 2 * k, s=1 + k % 61, t=1 + k % 59))
    (folder / f"part_{file:02}.c").write_text("\n".join(lines) + "\n")


def write_runner(folder, files, functions):
    lines = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             "#define RUNNER __attribute__((noinline, no_instrument_function))",
             "long run_all(long x);"]
    for file in range(files):
        names = [f"f_{file:02}_{n:04}" for n in range(functions)]
        lines += [f"long {name}(long x, long y);" for name in names]
        lines.append(f"RUNNER static long run_{file:02}(long x) {{")
        lines += [f"  x = {name}(x, {n});" for n, name in enumerate(names)]
        lines += ["  return x;", "}"]
    lines.append("RUNNER long run_all(long x) {")
    lines += [f"  x = run_{file:02}(x);" for file in range(files)]
    lines += ["  return x;", "}", ""]
    (folder / "run_all.c").write_text("\n".join(lines))


def main():
    folder, files, functions = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for file in range(files):
        write_file(folder, file, functions)
    write_runner(folder, files, functions)


if __name__ == "__main__":
    main()
