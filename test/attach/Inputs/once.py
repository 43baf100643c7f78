# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""once.py NOPHOOK PROGRAM FOLDER ROUNDS ARGUMENTS...: ROUNDS processes, each attached to once; they end as they would."""

import sys

from attaching import Target, expect, expect_in, until


def main():
    nophook, program, folder, rounds, *arguments = sys.argv[1:]
    for _ in range(int(rounds)):
        target = Target(nophook, program, folder, *arguments)
        done = target.run("start", target.pid, "turn", "-p", "function")
        expect((done.returncode, done.stderr), (0, ""))
        until(lambda: ": turn <-" in target.run("show", target.pid).stdout, "an event")
        target.goes_on()
        expect_in(f'"pid":{target.pid},', target.run("ps", "--json").stdout)
        expect(target.end(), 0)


main()
