#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py kill|terminal COMMAND...: sends SIGINT once the command says "ready", and presses Enter
once it reports what has been recorded.

kill: to the command itself. terminal: as Ctrl-C on a terminal that the command runs on, which
reaches its whole process group. Prints what the command prints, ends with its exit status.
"""

import os
import pty
import signal
import sys

way, command = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test runner may have it ignored
    os.execv(command[0], command)
seen, sent, entered = b"", False, False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the last process on the terminal has closed it
        part = b""
    if not part:
        break
    seen += part
    if b"ready" in seen and not sent:
        sent = True
        if way == "kill":
            os.kill(pid, signal.SIGINT)
        else:
            os.write(terminal, b"\x03")
    if b" events lost" in seen and not entered:
        entered = True
        os.write(terminal, b"\n")
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(seen.decode(errors="replace").replace("\r\n", "\n"))
sys.exit(status if status >= 0 else 1)
