# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""executed.py NOPHOOK PROGRAM FOLDER: a child that executes a program while its parent is recorded."""

import os
import subprocess
import sys

from attaching import Target, expect, expect_in, until


def main():
    nophook, program, folder = sys.argv[1:]
    target = Target(nophook, program, folder)

    def word(number):
        return int.from_bytes(target.words[8 * number:8 * number + 8], "little")

    def attach(*options):
        words = [nophook, "attach", str(target.pid), "-o", target.scratch, "-p", "function", "-l", "work", "-l", "turn", *options]
        recorder = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        expect_in(f"recording {target.pid} (", recorder.stderr.readline())
        return recorder

    def execute():
        before = word(1)
        target.program.stdin.write(b"x")
        target.program.stdin.flush()
        until(lambda: word(1) != before, "the program")
        return word(1)

    def end(recorder):
        recorder.terminate()
        said = recorder.stderr.read()
        expect(recorder.wait(), 0)
        return said

    def has_open(pid, path):
        names = os.listdir(f"/proc/{pid}/fd")
        return path in [os.readlink(f"/proc/{pid}/fd/{name}") for name in names if os.path.lexists(f"/proc/{pid}/fd/{name}")]

    recorder = attach("--children", "--detach")
    executed = execute()
    until(lambda: target.run("get", executed, "current_tracer").stdout == "function\n", "the settings")
    before = word(2)
    until(lambda: word(2) > before + 2, "calls")
    expect_in(" in 2 threads, 0 events lost", end(recorder))
    expect_in("work", target.run("report", "--top", target.scratch).stdout)

    recorder = attach()
    executed = execute()
    until(lambda: has_open(recorder.pid, os.path.realpath(program)), "a look at it")
    said = end(recorder)
    expect_in(f"1 process was not recorded: {os.path.basename(program)} ({executed}): executed while its parent was recorded", said)
    expect(target.end(), 0)


main()
