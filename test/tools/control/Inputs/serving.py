# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that serves its control tree (NOPHOOK=serve), and how tests talk to it."""

import json
import os
import socket
import struct
import subprocess
import time

PATIENCE = 600  # seconds: a test fails by this only if nothing happens at all
HELLO, OPEN, READ, WRITE, CLOSE, LIST, MKDIR, RMDIR = range(1, 9)


def socket_name(pid):
    """The socket of a process in our PID namespace."""
    return f"{os.stat('/proc/self/ns/pid').st_ino}-{pid}.sock"


class Serving:
    """PROGRAM runs until its standard input ends."""

    def __init__(self, nophook, runtime, program, pass_fds=()):
        self.nophook = nophook
        env = dict(os.environ, NOPHOOK="serve", LD_PRELOAD=runtime)
        self.program = subprocess.Popen([program], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        pass_fds=pass_fds)
        self.pid = self.program.pid
        self.wait_for(self.pid)

    def run(self, *arguments):
        return subprocess.run([self.nophook, *map(str, arguments)], capture_output=True, text=True, check=False)

    def wait_for(self, pid):
        """Until this process serves: it has begun to run before."""
        end = time.monotonic() + PATIENCE
        while pid not in self.listed():
            if self.program.poll() is not None or time.monotonic() > end:
                self.program.kill()
                raise RuntimeError(f"{pid} does not serve")
            time.sleep(0.02)

    def listed(self):
        return [json.loads(line)["pid"] for line in self.run("ps", "--json").stdout.splitlines()]

    def get(self, path):
        done = self.run("get", self.pid, path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def set(self, path, *words):
        done = self.run("set", self.pid, path, *words)
        return done.stderr if done.returncode else None

    def tell(self, words):
        """The program's answer to these words."""
        self.program.stdin.write(f"{words}\n")
        self.program.stdin.flush()
        return self.program.stdout.readline().strip()

    def end(self):
        """Its exit status and what it has printed."""
        self.program.stdin.close()
        output = self.program.stdout.read()  # communicate() would leave out what has come with the last line
        return self.program.wait(timeout=PATIENCE), output

    def socket_path(self):
        return os.path.join(os.environ["XDG_RUNTIME_DIR"], "nophook", socket_name(self.pid))

    def connect(self):
        """A bare connection, whatever the length of the path."""
        folder = os.open(os.path.dirname(self.socket_path()), os.O_PATH)
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        client.settimeout(PATIENCE)
        client.connect(f"/proc/self/fd/{folder}/{socket_name(self.pid)}")
        os.close(folder)
        return client


def ask(client, op, handle=0, offset=0, flags=0, data=b""):
    """The result of one request, and its data."""
    client.send(struct.pack("<IIQII", op, handle, offset, flags, 0) + data)
    reply = client.recv(1 << 16)
    return struct.unpack_from("<q", reply)[0], reply[8:]
