#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one real program in four modes and compares what it does.

    modes.py PROGRAM --real DIR --build DIR --work DIR [--changes N] [--seed S]

plain         built as anyone would build it: its output and exit status are the reference
instrumented  built traceable, without the runtime
graph         every function under function_graph, in a flight recorder; afterwards the buffers are read:
              no event is lost, and every line has its depth
toggled       a client changes tracers, filters, values, instances and clocks through the control
              socket, in a random order, until the program has ended; repeated until N changes were made

Prints for FileCheck one line for each mode. A seed of 0 is a new one, which is printed.
"""

import argparse
import glob
import os
import pathlib
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
DEADLINE_S = 300  # of one run; a hang is a failure
OP = {"hello": 1, "open": 2, "write": 4, "close": 5, "mkdir": 7, "rmdir": 8}  # nophook/control.h
BUSY = {16, 22, 19, 28, 2, 17}  # EBUSY EINVAL ENODEV ENOSPC ENOENT EEXIST: refusals that random edits earn


class Client:
    """The control socket of one process."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.ask("hello", offset=1)

    def ask(self, what, data=b"", handle=0, offset=0, flags=0):
        self.socket.send(struct.pack("<IIQII", OP[what], handle, offset, flags, 0) + data)
        reply = self.socket.recv(65536)
        if len(reply) < 8:
            raise EOFError
        return struct.unpack_from("<q", reply)[0]

    def write(self, path, text):
        handle = self.ask("open", path.encode(), flags=os.O_WRONLY | os.O_TRUNC)
        if handle < 0:
            return handle
        written = self.ask("write", text.encode(), handle=handle)
        closed = self.ask("close", handle=handle)
        return min(written, closed)


class Toggler(threading.Thread):
    """Changes what is traced in one process until that ends."""

    def __init__(self, path, chance):
        super().__init__()
        self.path, self.chance = path, chance
        self.changes, self.refused, self.wrong = 0, 0, []

    def edits(self):
        pick = self.chance.choice
        where = pick(["", "", "", "instances/a/", "instances/b/"])
        return pick([
            lambda c: c.write(where + "current_tracer", pick(["nop", "function", "function_graph"])),
            lambda c: c.write(where + "current_tracer", pick(["function", "function_graph"])),
            lambda c: c.write("current_tracer", "profile"),
            lambda c: c.write(where + "set_ftrace_filter", pick(["", "*a*", "*e*", "[a-m]*", "main", "*"])),
            lambda c: c.write(where + "set_ftrace_notrace", pick(["", "*o*", "*main*"])),
            lambda c: c.write("max_graph_depth", pick(["0", "1", "3"])),
            lambda c: c.write("tracing_thresh", pick(["0", "10"])),
            lambda c: c.write(where + "trace_options", pick(["func-args", "nofunc-args"])),
            lambda c: c.write(where + "trace_options", pick(["funcgraph-args", "nofuncgraph-args", "funcgraph-retval",
                                                            "nofuncgraph-retval"])),
            lambda c: c.write(where + "trace_options", pick(["func_stack_trace", "nofunc_stack_trace"])),
            lambda c: c.write("trace_clock", pick(["x86-tsc", "mono", "boot", "counter"])),
            lambda c: c.write(where + "tracing_on", pick(["0", "1", "1"])),
            lambda c: c.write(where + "trace", ""),
            lambda c: c.write("snapshot", "1"),
            lambda c: c.ask(pick(["mkdir", "mkdir", "rmdir"]), pick([b"instances/a", b"instances/b"])),
        ])

    def run(self):
        try:
            client = Client(self.path)
            while True:
                result = self.edits()(client)
                self.changes += result >= 0
                self.refused += result < 0
                if result < 0 and -result not in BUSY:
                    self.wrong.append(os.strerror(-result))
                time.sleep(self.chance.random() * 0.004)
        except (EOFError, ConnectionError, FileNotFoundError, BrokenPipeError):
            pass  # the process has ended


class Batch:
    """A program that runs to its end: its arguments and the files that it makes. `has_tree`: its calls nest. Those of a
    fork child that jumps out of its parent's calls do not."""

    def __init__(self, command, results=(), normalise=None, has_tree=True):
        self.command, self.results, self.normalise, self.has_tree = command, results, normalise, has_tree

    def run(self, binary, work, env, started):
        for name in self.results:
            (work / name).unlink(missing_ok=True)
        with open(work / "out", "w+b") as out:
            process = subprocess.Popen([binary, *self.command], stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT, cwd=work, env=env)
            try:
                started(process.pid)
                status = process.wait(timeout=DEADLINE_S)
            finally:
                process.kill()
            out.seek(0)
            text = out.read()
        if self.normalise:
            text = self.normalise(text)
        return [status, text] + [(work / name).read_bytes() for name in self.results]


class Conversation:
    """A server, and clients that ask it all the time."""

    CLIENTS, REQUESTS = 4, 400
    has_tree = True

    def run(self, binary, work, env, started):
        path = f"{tempfile.mkdtemp(prefix='nophook-modes-')}/socket"
        replies = [None] * self.CLIENTS
        with open(work / "out", "wb") as out:
            process = subprocess.Popen([binary, path], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env)
            try:
                started(process.pid)
                clients = [threading.Thread(target=self.talk, args=(path, n, replies)) for n in range(self.CLIENTS)]
                for client in clients:
                    client.start()
                for client in clients:
                    client.join()
                self.connect(path).sendall(b"quit\n")
                status = process.wait(timeout=DEADLINE_S)
            finally:
                process.kill()
                shutil.rmtree(os.path.dirname(path))
        return [status, (work / "out").read_bytes(), replies]

    @staticmethod
    def connect(path):
        end = time.monotonic() + 60
        while True:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.settimeout(DEADLINE_S)
            try:
                connection.connect(path)
                return connection
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def talk(self, path, number, replies):
        chance, texts = random.Random(number), []
        with self.connect(path) as connection, connection.makefile("rb") as lines:
            for _ in range(self.REQUESTS):
                key = f"k{number}.{chance.randrange(20)}"
                connection.sendall(chance.choice([
                    f"set {key} {chance.randrange(1000)}", f"get {key}", f"sum {key} k{number}.0 k{number}.1",
                    f"longest {chance.randrange(100, 400)}", f"child {chance.randrange(1, 1000)}", "nonsense",
                ]).encode() + b"\n")
                texts.append(lines.readline())
        replies[number] = texts


def untimed(text):
    """speedtest1 without the times, which nothing can make equal."""
    return re.sub(rb" +[0-9.]+s$", b"", text, flags=re.M)


def programs(real, work):
    return {
        "lua": (real / "lua-plain", real / "lua", Batch([str(HERE.parents[2] / "examples" / "demo.lua"), "10"])),
        "sqlite": (real / "speedtest1-plain", real / "speedtest1",
                   Batch(["--size", "2", "--verify"], normalise=untimed)),
        "zstd": (real / "zstd-plain/programs/zstd", real / "zstd-traced/programs/zstd",
                 Batch(["-q", "-f", "-T4", "-6", "-B1MB", "in", "-o", "compressed"], results=["compressed"])),
        "dash": (real / "dash-plain/src/dash", real / "dash-traced/src/dash", Batch([str(HERE / "script.sh")], has_tree=False)),
        "server": (real / "server-plain", real / "server", Conversation()),
    }


class Modes:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work).resolve()
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.build = pathlib.Path(options.build).resolve()
        self.real = pathlib.Path(options.real).resolve()
        self.plain, self.traced, self.program = programs(self.real, self.work)[options.program]
        if options.program == "zstd":
            with open(self.work / "in", "wb") as out:
                subprocess.run([self.real / "zstd-traced/tests/datagen", "-g8M"], stdout=out, check=True)
        self.buffers = pathlib.Path(tempfile.mkdtemp(prefix="nophook-modes-"))  # short: sockets are in it

    def run(self, binary, settings=None, started=lambda pid: None):
        env = {name: value for name, value in os.environ.items() if name != "NOPHOOK"}
        if settings:
            env["LD_PRELOAD"] = str(self.build / "lib" / "libnophook.so")
            env["NOPHOOK"] = f"{settings} buffer_dir={self.buffers}"
        return self.program.run(binary, self.work, env, started)

    def compare(self, mode, result, reference):
        if result == reference:
            return
        for name, value in (("expected", reference), (mode, result)):
            (self.work / name).write_text(repr(value))
        sys.exit(f"{mode}: not the same as plain: see {self.work}/{{expected,{mode}}}")

    def graph(self, reference):
        result = self.run(self.traced, "current_tracer=function_graph buffer_mode=overwrite buffer_size_kb=4096")
        self.compare("graph", result, reference)
        events = 0
        for path in glob.glob(f"{self.buffers}/*.buf"):
            told = subprocess.run([self.build / "bin/nophook", "recover", path, "-o", self.work / "data"],
                                  capture_output=True, text=True, check=True).stderr
            if "lost" in told:  # a recording that is whole says nothing of it
                sys.exit(f"graph: {told}")
            events += int(re.search(r"(\d+) events", told)[1])
            if not self.program.has_tree:
                continue
            lines = subprocess.Popen([self.build / "bin/nophook", "report", "--json", self.work / "data"],
                                     stdout=subprocess.PIPE)
            tree = subprocess.run([sys.executable, HERE.parent / "check_graph.py"], stdin=lines.stdout,
                                  capture_output=True, text=True, check=True).stdout
            if lines.wait() or "wrong depth: 0\n" not in tree or "beyond the caller: 0\n" not in tree:
                sys.exit(f"graph: {path}:\n{tree}")
        if not events:
            sys.exit("graph: nothing was recorded")
        print("graph: the same, 0 events lost")

    def toggled(self, reference):
        seed = self.options.seed or random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
        chance = random.Random(seed)
        changes = refused = runs = 0
        while changes < self.options.changes:
            togglers = []

            def started(pid):
                path = f"{self.buffers}/{os.stat('/proc/self/ns/pid').st_ino}-{pid}.sock"
                end = time.monotonic() + 60
                while not os.path.exists(path):
                    if time.monotonic() > end or not os.path.exists(f"/proc/{pid}/exe"):
                        return  # a run that has ended already
                    time.sleep(0.001)
                togglers.append(Toggler(path, chance))
                togglers[0].start()

            result = self.run(self.traced, "serve buffer_mode=overwrite buffer_size_kb=4096", started)
            for toggler in togglers:
                toggler.join()
                changes += toggler.changes
                refused += toggler.refused
                if toggler.wrong:
                    sys.exit(f"toggled: refused without a reason: {toggler.wrong}")
            self.compare("toggled", result, reference)
            runs += 1
            for path in glob.glob(f"{self.buffers}/*"):
                os.unlink(path)
        print(f"{changes} changes and {refused} refusals in {runs} runs", file=sys.stderr)
        print("toggled: the same")

    def all(self):
        try:
            self.each()
        finally:
            shutil.rmtree(self.buffers)

    def each(self):
        reference = self.run(self.plain)
        print(f"plain: status {reference[0]}")
        self.compare("instrumented", self.run(self.traced), reference)
        print("instrumented: the same")
        self.graph(reference)
        for path in glob.glob(f"{self.buffers}/*"):
            os.unlink(path)
        self.toggled(reference)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--real", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    Modes(parser.parse_args()).all()


if __name__ == "__main__":
    main()
