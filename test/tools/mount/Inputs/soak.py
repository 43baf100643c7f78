# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""soak.py NOPHOOK RUNTIME PROGRAM: clients of one program, all at once, each so many rounds."""

import errno
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "control", "Inputs"))
from serving import PATIENCE, Serving

# Errors that the work of others at the same moment may cause.
TOLD = {errno.EBUSY, errno.EEXIST, errno.ENOENT, errno.EINVAL, errno.EIO}
ROUNDS = int(os.environ.get("NOPHOOK_SOAK_ROUNDS", "8"))


class Clients:
    def __init__(self, serving, tree, folder):
        self.serving, self.tree, self.folder = serving, tree, folder

    def write(self, path, text, mode="w"):
        try:
            with open(os.path.join(self.tree, path), mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            if error.errno not in TOLD:
                raise

    def read(self, path, tree=None):
        try:
            with open(os.path.join(tree or self.tree, path), encoding="utf-8", errors="strict") as file:
                return file.read(1 << 16)
        except OSError as error:
            if error.errno not in TOLD:
                raise
            return ""

    def run(self, *words):
        done = self.serving.run(*words)
        assert done.returncode in (0, 1), (words, done)
        return done

    # A client each: a function of the round.

    def mounts(self, _):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            done = self.serving.run("mount", self.serving.pid, folder)
            assert done.returncode == 0, done
            assert self.read("current_tracer", folder).strip() in ("nop", "function", "function_graph", "profile", "hits")
            subprocess.run(["umount", folder], check=True)

    mounts_too = mounts

    def filters(self, number):
        self.write("set_ftrace_filter", ("tick", "t*k", "tock\n!t?ck", "nonsense")[number % 4])
        self.write("set_ftrace_filter", "tock", "a")

    def other_filters(self, number):
        self.write("set_ftrace_notrace", ("main", "", "tick:mod:none")[number % 3])
        self.write("set_ftrace_filter", "tick:traceoff:1\n!tick:traceoff", "a")
        self.write("tracing_on", "1")

    def tracers(self, number):
        self.write("current_tracer", ("function", "function_graph", "nop")[number % 3])
        self.write("options/func_stack_trace", str(number % 2))

    def reads(self, _):
        for line in self.read("trace").splitlines():
            assert line.isprintable(), line
        for cpu in os.listdir(os.path.join(self.tree, "per_cpu")):
            assert "entries: " in self.read(f"per_cpu/{cpu}/stats")
        self.read("available_filter_functions")

    def consumes(self, _):
        try:
            with open(os.path.join(self.tree, "trace_pipe"), "rb", buffering=0,
                      opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as pipe:
                pipe.read(1 << 16)
        except OSError as error:
            assert error.errno in TOLD, error

    def by_hand(self, number):
        self.run("start", self.serving.pid, "-p", ("function", "function_graph")[number % 2], "t*k")
        self.run("show", self.serving.pid)
        self.run("stop", self.serving.pid)
        self.run("top", self.serving.pid, "--once", "-d", "10ms")

    # Instances, made and removed by two at once: what else they have belongs here.
    def instances(self, number):
        path = os.path.join(self.tree, "instances", f"soak{number % 2}")
        try:
            os.mkdir(path)
            self.write(os.path.join(path, "set_ftrace_filter"), "tick")
            self.write(os.path.join(path, "current_tracer"), "function")
            self.read(os.path.join(path, "trace"))
            os.rmdir(path)
        except OSError as error:
            assert error.errno in TOLD, error

    more_instances = instances

    NAMES = ("mounts", "mounts_too", "filters", "other_filters", "tracers", "reads", "consumes", "by_hand",
             "instances", "more_instances")

    def start(self, name):
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            for number in range(ROUNDS):
                getattr(self, name)(number)
            status = 0
        except BaseException as error:  # pylint: disable=broad-except
            print(f"{name}: {error!r}", file=sys.stderr)
        os._exit(status)


def mounts_of(folder):
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        return [line for line in mounts if folder in line]


def main():
    nophook, runtime, program = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        os.mkdir(tree)
        assert serving.run("mount", serving.pid, tree).returncode == 0
        clients = Clients(serving, tree, folder)
        running = {clients.start(name): name for name in Clients.NAMES}
        answers = 0
        failed = []
        while running:
            assert serving.tell(100) == "done"
            answers += 1
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid in running:
                name = running.pop(pid)
                if status:
                    failed.append(name)
        assert not failed, failed
        done = serving.run("reset", serving.pid)
        assert (done.returncode, done.stderr) == (0, ""), done
        assert os.listdir(os.path.join(tree, "instances")) == []
        with open(os.path.join(tree, "current_tracer"), "w", encoding="utf-8") as file:
            file.write("function")
        assert serving.tell(3) == "done"
        with open(os.path.join(tree, "trace"), encoding="utf-8") as file:
            assert file.read().count("tick <-tock") == 3
        assert serving.end() == (0, "the answer\n")
        end = time.monotonic() + PATIENCE
        while mounts_of(folder):
            assert time.monotonic() < end, mounts_of(folder)
            time.sleep(0.01)
    # Its buffer is kept, for a user that wants it.
    buffers = os.path.join(os.environ["XDG_RUNTIME_DIR"], "nophook")
    assert serving.run("recover", "--clean", buffers).returncode == 0
    left = os.listdir(buffers)
    assert left == [], left
    print(answers, "answers")


main()
