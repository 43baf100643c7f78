# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""not_relocated.py NOPHOOK PROGRAM FOLDER RUNTIME: the program has mapped RUNTIME by itself."""

import sys

from attaching import Target, expect, expect_in


def main():
    nophook, program, folder, runtime = sys.argv[1:]
    target = Target(nophook, program, folder, runtime)
    done = target.run("attach", target.pid, "-o", target.scratch, "--duration", "1ms")
    expect_in("its dynamic linker has not finished with the runtime", done.stderr)
    expect(done.returncode, 1)
    target.goes_on()
    expect(target.end(), 0)


main()
