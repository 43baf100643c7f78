# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""executes_itself.py NOPHOOK PROGRAM FOLDER: a process that executes its own program twice while it is recorded."""

import json
import subprocess
import sys

from attaching import Target, expect, expect_in, until

TIMES = 2


def main():
    nophook, program, folder = sys.argv[1:]
    target = Target(nophook, program, folder)

    def tracer():
        return target.run("get", target.pid, "current_tracer").stdout

    def starts():
        return int.from_bytes(target.words[8:16], "little")

    for options in ["--children"], []:
        words = [nophook, "attach", str(target.pid), "-o", target.scratch, "-p", "function", "-l", "turn", *options]
        recorder = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        expect_in(f"recording {target.pid} (", recorder.stderr.readline())
        for _ in range(TIMES):
            target.goes_on()
            before = starts()
            target.program.stdin.write(b"x")
            target.program.stdin.flush()
            until(lambda before=before: starts() > before, "the program")
            until(lambda: tracer() == "function\n", "the settings")
            target.goes_on()
        recorder.terminate()
        said = recorder.stderr.read()
        expect(recorder.wait(), 0)
        expect(("left out" in said or "was not recorded" in said, said), (False, said))
        processes = json.loads(target.run("info", "--json", target.scratch).stdout)["processes"]
        expect([(one["pid"], one["events"] > 0) for one in processes], [(target.pid, True)] * (TIMES + 1))
        until(lambda: tracer() == "nop\n", "its settings")
    expect(target.end(), 0)


main()
