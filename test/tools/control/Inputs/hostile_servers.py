# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile_servers.py NOPHOOK: commands on processes that claim to serve, and answer nonsense."""

import os
import socket
import struct
import subprocess
import sys
import threading

PATIENCE = 600  # seconds: a test fails by this only if a command does not end
HELLO, OPEN, READ, WRITE, CLOSE, LIST, MKDIR, RMDIR = range(1, 9)


def answers(mode, op, data):
    """The result of a request, and the data behind it; None: silence."""
    if mode == "endless" and op == READ:
        return 32768, b"A" * 32768
    if mode == "without data" and op == READ:
        return 5, b""
    if mode == "too long" and op == READ:
        return 40000, b"A" * 40000
    if mode == "large" and op in (OPEN, READ, WRITE):
        return 1 << 62, b"x"
    if mode == "negative" and op in (READ, WRITE):
        return -(1 << 62), b""
    if mode == "silent" and op == READ:
        return None
    if mode == "names" and op == LIST:
        names = b"100644 ../../etc/passwd\n100644 a/b\n40755 \n\n100644\n100644 " + b"n" * 5000 + b"\n100644 good\n"
        return len(names), names
    return {HELLO: (os.getpid(), b""), OPEN: (0, b""), WRITE: (len(data), b""), LIST: (-2, b"")}.get(op, (0, b""))


def serve(client, mode):
    while request := client.recv(70000):
        op, data = struct.unpack_from("<I", request)[0], request[24:]
        if mode == "short" and op == READ:
            client.send(b"abc")
        elif answer := answers(mode, op, data):
            client.send(struct.pack("<q", answer[0]) + answer[1])


def listen(mode):
    """In a process of its own; its number is that of the socket."""
    ready, told = os.pipe()
    pid = os.fork()
    if pid:
        os.close(told)
        os.read(ready, 1)
        os.close(ready)
        return pid
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    os.chdir(os.environ["XDG_RUNTIME_DIR"] + "/nophook")
    listener.bind(f"{os.getpid()}.sock")
    listener.listen(16)
    os.write(told, b"x")
    while True:
        client = listener.accept()[0]
        threading.Thread(target=lambda c=client: serve(c, mode), daemon=True).start()


def main():
    nophook = sys.argv[1]
    for mode in ("endless", "without data", "too long", "short", "large", "negative", "names"):
        pid = listen(mode)
        try:
            commands = [["ps"], ["reset", pid], ["show", pid]]
            if mode == "endless":  # which takes its time: each file has 256 MiB
                commands = commands if os.environ.get("NOPHOOK_LONG") else [["reset", pid]]
            else:
                commands += [["ps", "--json"], ["get", pid], ["get", pid, "current_tracer"], ["get", pid, "trace"],
                             ["set", pid, "tracing_on", "1"], ["start", pid], ["stop", pid],
                             ["top", pid, "--once", "-d", "10ms"],
                             ["attach", "--duration", "100ms", "-o", "attached.data", pid]]
            for words in commands:
                done = subprocess.run([nophook, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE,
                                      check=False)
                if done.returncode not in (0, 1) or "Success" in done.stderr:
                    sys.exit(f"{mode}: {words}: {done.returncode} {done.stderr}")
                if words[0] == "ps" and str(pid) not in done.stdout:
                    sys.exit(f"{mode}: it is not shown: {done.stdout}")
                if mode == "names" and words == ["get", pid] and done.stdout.split() != ["good", "per_cpu/", "snapshot",
                                                                                         "trace", "trace_pipe"]:
                    sys.exit(f"names: {done.stdout}")
                if mode == "endless" and words[:1] == ["reset"] and "a text without an end" not in done.stderr:
                    sys.exit(f"endless: {done.stderr}")
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    # A process that is stopped, or says nothing, holds ps up for a second.
    pid = listen("silent")
    done = subprocess.run([nophook, "ps"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    if f"{pid}  -" not in done.stdout or "(does not answer)" not in done.stdout:
        sys.exit(f"silent: {done.stdout}")


main()
