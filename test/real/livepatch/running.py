#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks a running program the same before a live patch, with it, and when it is switched off again.

    running.py --build DIR --patch FILE [--idle LINE] PROGRAM LINE...

The program answers each line of its input with one line. The answers are printed. Until a change has reached every
thread, the program gets the line `--idle`, so that its main loop leaves the functions that it has been in.
"""

import argparse
import os
import pathlib
import signal
import subprocess

DEADLINE_S = 900  # limit of the whole run; a hang is a failure


class Running:
    def __init__(self, program, nophook, runtime):
        self.nophook = nophook
        environment = {**os.environ, "NOPHOOK": "serve", "LD_PRELOAD": runtime}
        self.process = subprocess.Popen([program], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the program has ended with status {self.process.wait()}")
        return answer.rstrip("\n")

    def patch(self, action, *arguments):
        return subprocess.run([self.nophook, "patch", action, str(self.process.pid), *arguments], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def apply(self, patch, idle):
        self.patch("apply", str(patch))
        self.idle_until(idle, lambda: "enabled" in self.patch("list").split())

    def revert(self, patch, idle):
        self.patch("revert", patch.stem)
        self.idle_until(idle, lambda: not {"enabled", "disabling"} & set(self.patch("list").split()))

    def idle_until(self, line, is_over):
        while not is_over():
            self.ask(line)

    def end(self):
        self.process.stdin.close()
        return self.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--patch", required=True, type=pathlib.Path)
    parser.add_argument("--idle", default="")
    parser.add_argument("program")
    parser.add_argument("lines", nargs="+")
    arguments = parser.parse_args()
    signal.alarm(DEADLINE_S)
    program = Running(arguments.program, str(arguments.build / "bin/nophook"), str(arguments.build / "lib/libnophook.so"))

    def answers(when):
        for line in arguments.lines:
            print(f"{when}: {program.ask(line)}")

    answers("before")
    program.apply(arguments.patch, arguments.idle)
    answers("patched")
    program.revert(arguments.patch, arguments.idle)
    answers("reverted")
    print(f"status {program.end()}")


if __name__ == "__main__":
    main()
