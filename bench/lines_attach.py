# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attaching to a process that was not prepared: how long its thread stands still, and how soon it is traced."""

import mmap
import os
import pathlib
import subprocess
import time

from common import Line, scratch

GROUP = "attach (a process without the runtime)"
QUIET_S = 0.05


class Attached:
    def __init__(self, setting, folder):
        self.nophook = str(setting.build / "bin" / "nophook")
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(folder))
        path = pathlib.Path(folder) / "words"
        path.write_bytes(bytes(4096))
        with open(path, "r+b") as file:
            self.words = mmap.mmap(file.fileno(), 4096)
        self.process = subprocess.Popen([setting.program("bench_attached"), str(path)], env=self.env)
        while not self.words[:8].strip(b"\0"):
            time.sleep(0.001)

    def longest_ms(self):
        """Since the last call."""
        longest = int.from_bytes(self.words[8:16], "little")
        self.words[8:16] = bytes(8)
        return longest / 1e6

    def start_ms(self):
        """Until the calls are traced: the program makes one every 100 ns."""
        begun = time.monotonic()
        subprocess.run([self.nophook, "start", "-p", "function", str(self.process.pid)], env=self.env, check=True)
        return (time.monotonic() - begun) * 1e3

    def end(self):
        self.process.kill()
        self.process.wait()


def percentile(samples, share):
    return sorted(samples)[min(int(len(samples) * share), len(samples) - 1)]


def measure(setting):
    quiet, stopped, traced = [], [], []
    with scratch() as folder:
        for _ in range(setting.rounds(100, 10)):
            attached = Attached(setting, folder)
            attached.longest_ms()
            time.sleep(QUIET_S)
            quiet.append(attached.longest_ms())
            traced.append(attached.start_ms())
            stopped.append(attached.longest_ms())
            attached.end()
    stop = Line(GROUP, "longest stop of a thread", "ms", stopped).against("no attach, 50 ms", quiet)
    stop.note = f"p99 {percentile(stopped, 0.99):.2f}"
    start = Line(GROUP, "nophook start, until calls are traced", "ms", traced)
    start.note = f"p99 {percentile(traced, 0.99):.1f}"
    return [stop.within("p99 <= 5 ms", percentile(stopped, 0.99), 5), start.within("<= 50 ms", start.median, 50)]
