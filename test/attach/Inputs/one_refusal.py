# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_refusal.py NOPHOOK PROGRAM FOLDER ARGUMENTS... WHY: it cannot be attached to, and goes on."""

import sys

from attaching import Target, expect, expect_in


def main():
    nophook, program, folder, *arguments, why = sys.argv[1:]
    target = Target(nophook, program, folder, *arguments)
    done = target.run("attach", target.pid, "-o", target.scratch, "--duration", "1ms")
    expect((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
    expect_in(f"nophook: process {target.pid}: {why}", done.stderr)
    target.goes_on()
    expect("libnophook" in target.maps(), False)
    expect(target.end(), 0)


main()
