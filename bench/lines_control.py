# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What control costs: events while somebody reads trace_pipe, a client that floods, and filters by glob."""

import contextlib
import os
import pathlib
import random
import socket
import struct
import subprocess
import threading

from common import Line, differences, scratch

GROUP = "control (a process that serves)"
CALLS = 200_000


class Served:
    def __init__(self, setting, folder):
        self.nophook = str(setting.build / "bin" / "nophook")
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(folder), NOPHOOK="serve buffer_size_kb=65536")
        self.sockets = pathlib.Path(folder) / "nophook"
        self.wrong = 0  # messages that have been sent
        self.process = subprocess.Popen([setting.program("bench_served")], env=self.env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask("rdtsc", 1)  # it has begun

    def ask(self, word, what):
        self.process.stdin.write(f"{word} {what}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def run(self, *words):
        subprocess.run([self.nophook, words[0], str(self.process.pid), *words[1:]], env=self.env, check=True)

    @contextlib.contextmanager
    def reader(self):
        """Somebody who has begun to read trace_pipe."""
        words = [self.nophook, "get", str(self.process.pid), "trace_pipe"]
        with subprocess.Popen(words, env=self.env, stdout=subprocess.PIPE) as reader:
            self.ask("leaf", 10)
            reader.stdout.readline()
            with subprocess.Popen(["cat"], stdin=reader.stdout, stdout=subprocess.DEVNULL):
                yield
                reader.kill()

    def flood(self, ended):
        """Sends messages that are wrong and reads no answer, until the connection is full, again and again."""
        hello = struct.pack("<IIQII", 1, 0, 1, 0, 0)  # include/nophook/control.h
        while not ended.is_set():
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
                client.connect(str(self.sockets / f"{self.process.pid}.sock"))
                client.send(hello)
                with contextlib.suppress(OSError):
                    for _ in range(4000):
                        client.send(bytes([random.randrange(9, 255), 0, 0, 0]) + random.randbytes(20),
                                    socket.MSG_DONTWAIT)
                        self.wrong += 1

    @contextlib.contextmanager
    def flooded(self):
        ended = threading.Event()
        client = threading.Thread(target=self.flood, args=(ended,))
        client.start()
        yield
        ended.set()
        client.join()


def measure(setting):
    samples = {name: [] for name in ("rdtsc", "untraced", "alone", "read", "quiet", "flooded", "glob_all",
                                     "glob_some")}
    with scratch() as folder:
        served = Served(setting, folder)
        served.run("set", "set_ftrace_filter", "leaf")
        for _ in range(setting.rounds(21, 5)):
            samples["rdtsc"].append(served.ask("rdtsc", CALLS))
            served.run("set", "current_tracer", "nop")
            samples["untraced"].append(served.ask("leaf", CALLS))
            served.run("set", "current_tracer", "function")
            served.ask("leaf", CALLS)  # the first calls and the first touch of memory
            samples["alone"].append(served.ask("leaf", CALLS))
            with served.reader():
                samples["read"].append(served.ask("leaf", CALLS))
            samples["quiet"].append(served.ask("busy", 5 * CALLS))
            with served.flooded():
                samples["flooded"].append(served.ask("busy", 5 * CALLS))
        served.run("set", "current_tracer", "nop")
        for _ in range(setting.rounds(21, 5)):
            samples["glob_all"].append(served.ask("glob", "f_*"))
            samples["glob_some"].append(served.ask("glob", "*_07_?1*"))
        served.process.stdin.close()
        served.process.wait()
    lines = []
    for name, what in (("alone", "function event, nobody reads"), ("read", "function event, trace_pipe is read")):
        line = Line(GROUP, what, "ns", differences(samples[name], samples["untraced"]))
        lines.append(line.against("rdtsc", samples["rdtsc"], best=min(samples[name]) - min(samples["untraced"])))
    lines[-1].note = "by another process, which makes text of them, on the other core"
    flooded = Line(GROUP, "traced call while a client floods", "ns", samples["flooded"])
    flooded.against("nobody does", samples["quiet"]).within("<= 1/0.98", flooded.ratio, 1 / 0.98)
    flooded.note = f"processor time; {served.wrong:,} wrong messages, whose answers nobody reads"
    lines.append(flooded)
    for name, what in (("glob_all", "f_* to set_ftrace_filter: all of 50,000"),
                       ("glob_some", "*_07_?1* to set_ftrace_filter: 250 of 50,000")):
        lines.append(Line(GROUP, what, "ms", samples[name]))
    lines[-1].note = "over 1,000,000: see callbacks"
    return lines
