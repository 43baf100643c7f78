#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attaches to an sshd while clients log in, by each tracer, and leaves it again: sshd_attached.py NOPHOOK TREE FOLDER LOGINS

An sshd of today executes itself for each connection, so what is attached to is not what has the sandbox. With `-r` it only
forks, and the child that is in the sandbox is one of a traced process. `--children` takes in what is executed, too.
"""

import json
import subprocess
import sys
import threading

from sshd import SECONDS, Sshd

TRACERS = ["function", "function_graph", "profile", "hits"]


class Logins(threading.Thread):
    """One after the other, until end()."""

    def __init__(self, sshd):
        super().__init__()
        self.sshd, self.count, self.wrong = sshd, 0, []
        self.counted, self.is_over = threading.Condition(), threading.Event()

    def run(self):
        while not self.is_over.is_set():
            wanted = (self.count % 3, "hello", "")
            try:
                found = self.sshd.login()
            except subprocess.TimeoutExpired:
                found = "no answer"
            with self.counted:
                self.count += 1
                self.wrong += [found] * (found != wanted)
                self.counted.notify()

    def wait_for(self, more):
        """Until so many have begun and ended from now on."""
        with self.counted:
            end = self.count + more + 1
            self.counted.wait_for(lambda: self.count >= end)

    def end(self):
        self.is_over.set()
        self.join()


def attach(nophook, sshd, logins, count, data, tracer, options):
    """The number of processes that were recorded while `count` logins were made."""
    recorder = subprocess.Popen([nophook, "attach", str(sshd.process.pid), "-p", tracer, "-o", data, *options], stderr=subprocess.PIPE, text=True)
    said = ""
    while " recording " not in said:  # the lines in front of it are about children that are left out
        line = recorder.stderr.readline()
        if not line:
            sys.exit(f"attach: {recorder.wait()}: {said}")
        said += line
    logins.wait_for(count)
    recorder.terminate()
    said += recorder.communicate(timeout=SECONDS)[1]
    if recorder.returncode:
        sys.exit(f"attach: {recorder.returncode}: {said}")
    print(said, file=sys.stderr)
    return len(json.loads(subprocess.run([nophook, "info", "--json", data], capture_output=True, check=True).stdout)["processes"])


def main():
    nophook, tree, folder, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    for words in ([], ["-r"]):
        with Sshd(tree, words) as sshd:
            logins = Logins(sshd)
            logins.start()
            try:
                for tracer in TRACERS:
                    for options in ([], ["--children"], ["--detach"]):
                        processes = attach(nophook, sshd, logins, count, f"{folder}/data", tracer, options)
                        print(" ".join(["sshd", *words, tracer, *options]) + ":", "its children, too" if processes > count else f"{processes} processes")
            finally:
                logins.end()
            killed, said = sshd.end()
        print("logins that failed:", *logins.wrong)
        print("signals:", *killed)
        print("the runtime says:", *said)


if __name__ == "__main__":
    main()
