# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""late_seccomp.py NOPHOOK PROGRAM FOLDER BETWEEN: attaches with the library BETWEEN, behind whose first call of ptrace the
program has a filter."""

import os
import sys

from attaching import Target, expect, expect_in


def main():
    nophook, program, folder, between = sys.argv[1:]
    target = Target(nophook, program, folder)
    done = target.run("attach", target.pid, "-o", target.scratch, "-p", "function", "--duration", "1ms",
                      env={**os.environ, "LD_PRELOAD": between})
    expect_in("its seccomp filter may kill it for mprotect", done.stderr)
    expect(done.returncode, 1)
    target.goes_on()
    expect(target.end(), 0)


main()
