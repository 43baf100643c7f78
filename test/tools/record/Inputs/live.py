#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""live.py lines|raw|N COMMAND...: runs it on a terminal, and presses Enter when it has drawn a live line.
raw: the terminal neither echoes nor waits for lines. N: when the line counts so many events.

Prints that live line, whether the last one was erased, and all other lines.
"""

import os
import pty
import re
import signal
import sys
import tty

LIVE = re.compile(r"\r\033\[K([0-9][^\r\n]*MiB)\r")
WANTED = f"{sys.argv[1]} events" if sys.argv[1].isdigit() else ""
signal.alarm(600)

pid, terminal = pty.fork()
if pid == 0:
    if sys.argv[1] == "raw":
        tty.setraw(0)
    os.execv(sys.argv[2], sys.argv[2:])
seen, told = "", False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the last process on the terminal has closed it
        break
    if not part:
        break
    seen += part.decode()
    if not told and any(line.startswith(WANTED) for line in LIVE.findall(seen)):
        os.write(terminal, b"\n")
        told = True
lines = [line for line in LIVE.findall(seen) if line.startswith(WANTED)]
if lines:
    print("live line:", lines[0])
    print("erased" if "\r\033[K" in seen[seen.rindex("MiB\r") + 4:] else "not erased")
print(LIVE.sub("", seen).replace("\r\033[K", ""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
