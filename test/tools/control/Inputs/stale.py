# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stale.py NOPHOOK RUNTIME PROGRAM: sockets that nobody listens to."""

import os
import socket
import subprocess
import sys
import time

from serving import PATIENCE, Serving, socket_name


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    nophook, runtime, program = sys.argv[1:]
    folder = os.path.join(os.environ["XDG_RUNTIME_DIR"], "nophook")

    def get(pid):
        done = subprocess.run([nophook, "get", str(pid), "current_tracer"], capture_output=True, text=True, check=False)
        return done.stdout or done.stderr.replace(str(pid), "PID")

    def sockets():
        return sorted(name for name in os.listdir(folder) if ".sock" in name)

    def leave_socket(pid, suffix=""):
        os.chdir(folder)  # its path may be too long for a socket's
        left = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        left.bind(socket_name(pid) + suffix)
        left.listen()
        left.close()

    killed, other = Serving(nophook, runtime, program), Serving(nophook, runtime, program)
    killed.program.kill()
    killed.program.wait()
    expect(sockets(), sorted(socket_name(s.pid) for s in (killed, other)))
    expect(get(killed.pid), "nophook: process PID: there is no such process\n")
    expect(sockets(), [socket_name(other.pid)])
    leave_socket(killed.pid)
    expect(get(other.pid), "nop\n")  # a request for another one cleans up, too
    expect(sockets(), [socket_name(other.pid)])

    # Numbers that come again: first of a process that does not serve.
    leave_socket(os.getpid())
    expect("PID: does not serve (start it with NOPHOOK=serve" in get(os.getpid()), True)
    expect(sockets(), [socket_name(other.pid)])
    go, ready = os.pipe()
    silence, _held = os.pipe()  # its input, which does not end before we do
    again = os.fork()
    if again == 0:
        os.read(go, 1)
        os.dup2(silence, 0)
        os.execve(program, [program], dict(os.environ, NOPHOOK="serve", LD_PRELOAD=runtime))
    leave_socket(again)
    leave_socket(again, ".tmp")
    os.write(ready, b".")
    end = time.monotonic() + PATIENCE
    while get(again) != "nop\n" and time.monotonic() < end:
        time.sleep(0.01)
    expect(get(again), "nop\n")
    expect(other.end(), (0, "the answer\n"))
    expect(sockets(), [socket_name(again)])
    os.kill(again, 9)
    os.waitpid(again, 0)

    # A socket at which another process listens is not its own, as in a container's PID namespace.
    os.chdir(folder)
    foreign = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    foreign.bind(socket_name(1))
    foreign.listen()
    expect("PID: does not serve" in get(1), True)
    expect(socket_name(1) in sockets(), True)


main()
