# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of control: events while a client reads trace_pipe, a client that floods, filters by glob, and the mounted trace."""

import contextlib
import os
import pathlib
import random
import socket
import struct
import subprocess
import threading
import time

from common import Line, differences, scratch

GROUP = "control (a process that serves)"
CALLS = 200_000
TRACE_CALLS = 2_000_000
# In namespaces of its own, where an ordinary user may mount.
MOUNTED = """
"$1" mount "$2" "$3" || exit
for read in 1 2 3; do
  begun=$(date +%s%N)
  cat "$3/trace" | wc -l
  echo $(($(date +%s%N) - begun))
done
umount "$3"
"""


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
        """A reader that has begun to read trace_pipe."""
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
                client.connect(str(next(self.sockets.glob(f"*-{self.process.pid}.sock"))))
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


    def lines_got(self):
        """Nanoseconds a line of `trace`."""
        words = [self.nophook, "get", str(self.process.pid), "trace"]
        begun = time.monotonic_ns()
        with subprocess.Popen(words, env=self.env, stdout=subprocess.PIPE) as get:
            lines = int(subprocess.run(["wc", "-l"], stdin=get.stdout, stdout=subprocess.PIPE, check=True).stdout)
        return (time.monotonic_ns() - begun) / lines

    def lines_mounted(self, folder):
        """The same through the mount, several times; empty where nothing can be mounted."""
        words = ["unshare", "-rm", "sh", "-c", MOUNTED, "sh", self.nophook, str(self.process.pid), str(folder)]
        text = subprocess.run(words, env=self.env, stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        return [int(taken) / int(lines) for lines, taken in zip(text[::2], text[1::2])]


def measure(setting):
    samples = {name: [] for name in ("rdtsc", "untraced", "alone", "read", "quiet", "flooded", "glob_all",
                                     "glob_some", "got", "mounted")}
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
        served.run("set", "trace", "")
        served.ask("leaf", TRACE_CALLS)
        mount = pathlib.Path(folder) / "tree"
        mount.mkdir()
        for _ in range(setting.rounds(7, 3)):
            samples["got"].append(served.lines_got())
            samples["mounted"] += served.lines_mounted(mount)
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
    if samples["mounted"]:
        line = Line(GROUP, "a line of the mounted trace, by cat", "ns", samples["mounted"])
        line.against("nophook get", samples["got"]).within("<= 2500 ns (400,000 lines/s)", line.median, 2500)
        lines.append(line)
    for name, what in (("glob_all", "f_* to set_ftrace_filter: all of 50,000"),
                       ("glob_some", "*_07_?1* to set_ftrace_filter: 250 of 50,000")):
        lines.append(Line(GROUP, what, "ms", samples[name]))
    lines[-1].note = "over 1,000,000: see callbacks"
    return lines
