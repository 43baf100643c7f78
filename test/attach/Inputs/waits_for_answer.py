# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""waits_for_answer.py NOPHOOK PROGRAM FOLDER: stops a process that serves, and attaches to it on a terminal, without and with another command
that has locked its settings."""

import fcntl
import os
import pty
import signal
import subprocess
import sys

from attaching import Target, expect_in, until

nophook, program, folder = sys.argv[1:]
target = Target(nophook, program, folder)
if target.run("attach", target.pid, "-p", "function", "-o", target.scratch, "--duration", "1ms").returncode:
    sys.exit("it cannot be attached to")
command = [nophook, "attach", str(target.pid), "-p", "function", "-o", target.scratch, "--duration", "1ms"]


def stop():
    os.kill(target.pid, signal.SIGSTOP)
    with open(f"/proc/{target.pid}/status", encoding="utf-8") as status:
        until(lambda: status.seek(0) == 0 and "T (stopped)" in status.read(), "a stop")


# On a terminal of its own, of which it is the foreground.
stop()
child, terminal = pty.fork()
if child == 0:
    os.execv(nophook, command)
seen = b""
while b"waiting for process %d to answer" % target.pid not in seen:
    seen += os.read(terminal, 4096)
os.kill(target.pid, signal.SIGCONT)
try:
    while part := os.read(terminal, 4096):
        seen += part
except OSError:  # the terminal's end
    pass
if os.waitpid(child, 0)[1]:
    sys.exit(f"attach fails: {seen}")
expect_in(b"\r\033[K", seen.split(b"to answer")[1])

# The lock is waited for for two seconds, and the process is not contacted.
stop()
with open(f"/proc/{target.pid}/environ", "rb") as locked:
    fcntl.flock(locked, fcntl.LOCK_EX)
    calls = os.path.join(folder, "calls")
    done = subprocess.run(["strace", "-f", "-qq", "-o", calls, "-e", "trace=connect", *command], capture_output=True, text=True, check=False)
expect_in("another command has changed its settings for a while", done.stderr)
with open(calls, encoding="utf-8") as file:
    if "connect(" in (text := file.read()):
        sys.exit(f"the process was contacted: {text}")
os.kill(target.pid, signal.SIGCONT)
target.end()
