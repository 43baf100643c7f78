# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""second_interrupt.py NOPHOOK PROGRAM FOLDER BLOCKS: two SIGINTs for attach, the second while BLOCKS (LD_PRELOAD) holds up its look at the
names. Prints the last lines of attach, its status, and the tracer that the program has then."""

import os
import signal
import subprocess
import sys

from attaching import PATIENCE, Target, expect, until

nophook, program, folder, blocks = sys.argv[1:]
wish, says = os.path.join(folder, "wish"), os.path.join(folder, "blocked")
target = Target(nophook, program, folder)
environment = dict(os.environ, LD_PRELOAD=blocks, BLOCKS_AT=os.path.realpath(program), BLOCKS_IF=wish, BLOCKS_SAYS=says)
attach = subprocess.Popen([nophook, "attach", str(target.pid), "-p", "function", "-o", target.scratch], stderr=subprocess.PIPE, text=True,
                          env=environment)
while "Ctrl-C ends it" not in attach.stderr.readline():
    expect(attach.poll(), None)
target.goes_on()
with open(wish, "w", encoding="utf-8"):
    pass
attach.send_signal(signal.SIGINT)
until(lambda: os.path.exists(says), "a look at the names")
attach.send_signal(signal.SIGINT)
try:
    print(attach.communicate(timeout=PATIENCE / 10)[1])
except subprocess.TimeoutExpired:
    attach.kill()
    sys.exit("attach goes on after the second SIGINT")
print("status", attach.returncode)
expect(target.run("info", target.scratch).returncode, 0)
print("tracer", target.run("get", target.pid, "current_tracer").stdout)
expect(target.end(), 0)
