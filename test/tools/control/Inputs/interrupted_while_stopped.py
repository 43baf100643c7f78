# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupted_while_stopped.py NOPHOOK RUNTIME PROGRAM PRELOADED DATA: attach to a process that PRELOADED stops."""

import fcntl
import os
import signal
import subprocess
import sys

from serving import Serving

nophook, runtime, program, preloaded, data = sys.argv[1:]
serving = Serving(nophook, runtime, program)
done = subprocess.run([nophook, "attach", str(serving.pid), "-o", data, "-l", "tick", "-n", "tock"], capture_output=True, text=True,
                      check=False, env=dict(os.environ, LD_PRELOAD=preloaded, STOPPED=str(serving.pid)))
os.kill(serving.pid, signal.SIGCONT)
process = f"nophook: process {serving.pid}: does not answer (is it stopped?)"
if (done.returncode, done.stderr) != (1, f"{process}: it has its settings back as soon as it does\n{process}\n"):
    sys.exit(f"{done.returncode}: {done.stderr}")
with open(f"/proc/{serving.pid}/environ", encoding="utf-8", errors="replace") as file:
    fcntl.flock(file, fcntl.LOCK_EX)  # until they are restored
settings = [serving.get(name) for name in ("set_ftrace_filter", "set_ftrace_notrace", "current_tracer")]
if settings != ["#### all functions enabled ####\n", "#### no functions disabled ####\n", "nop\n"]:
    sys.exit(f"{settings}")
serving.end()
