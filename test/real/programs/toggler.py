# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes tracers, filters, values, instances and clocks at random, in every process that serves below one folder.

A test suite starts processes one after the other, some for a millisecond. So one thread looks for new sockets, and each
process has a client of its own, until the process ends. Refusals that random edits earn are counted; any other error of
an edit is a fault. Fork children do not serve: `wake` wakes those of a server, as any command of `nophook` does.
"""

import os
import pathlib
import re
import socket
import struct
import subprocess
import threading
import time

OP = {"hello": 1, "open": 2, "write": 4, "close": 5, "mkdir": 7, "rmdir": 8}  # nophook/control.h
EARNED = {16, 22, 19, 28, 2, 17}  # EBUSY EINVAL ENODEV ENOSPC ENOENT EEXIST
MOST_CLIENTS = 8
LOOK_S = 0.002
ENDED = (EOFError, ConnectionError, FileNotFoundError, BrokenPipeError)


class Client:
    """The control socket of one process."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(120)
        self.socket.connect(str(path))
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


def random_edit(chance):
    """One edit, as a call with a client."""
    pick = chance.choice
    where = pick(["", "", "", "instances/a/", "instances/b/"])
    return pick([
        lambda c: c.write(where + "current_tracer", pick(["nop", "function", "function_graph"])),
        lambda c: c.write(where + "current_tracer", pick(["function", "function_graph"])),
        lambda c: c.write("current_tracer", pick(["profile", "hits"])),
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


class Toggler(threading.Thread):
    """Toggles each process that serves in `folder`, from start() to end()."""

    def __init__(self, folder, chance, wake=None):
        super().__init__()
        self.folder, self.chance, self.wake = pathlib.Path(folder), chance, wake
        self.changes, self.refused, self.processes, self.wrong = 0, 0, 0, []
        self.woken = set()
        self.lock, self.is_over = threading.Lock(), threading.Event()

    def run(self):
        known, clients = set(), []
        while not self.is_over.wait(LOOK_S):
            clients = [client for client in clients if client.is_alive()]
            if self.wake:
                self.wake_children()
            for path in self.folder.glob("*.sock"):
                if path not in known and len(clients) < MOST_CLIENTS:
                    known.add(path)
                    client = threading.Thread(target=self.toggle, args=(path,))
                    client.start()
                    clients.append(client)
        for client in clients:
            client.join()

    def toggle(self, path):
        try:
            client = Client(path)
            with self.lock:
                self.processes += 1
            while not self.is_over.is_set():
                result = random_edit(self.chance)(client)
                with self.lock:
                    self.changes += result >= 0
                    self.refused += result < 0
                    if result < 0 and -result not in EARNED:
                        self.wrong.append(os.strerror(-result))
                time.sleep(self.chance.random() * 0.004)
        except ENDED:
            pass  # the process has ended
        except socket.timeout:
            self.wrong.append(f"{path.name} has not answered for two minutes")

    def wake_children(self):
        """Wakes processes that have a buffer and no socket: once each, since some end in the meantime."""
        serving = {path.stem.rpartition("-")[2] for path in self.folder.glob("*.sock")}
        for path in self.folder.glob("*.buf"):
            found = re.match(r"(\d+)-", path.name)
            if found and found[1] not in serving | self.woken and os.path.exists(f"/proc/{found[1]}/exe"):
                self.woken.add(found[1])
                subprocess.run([self.wake, "start", "--dir", self.folder, found[1]], capture_output=True, timeout=120, check=False)

    def end(self):
        self.is_over.set()
        self.join()
