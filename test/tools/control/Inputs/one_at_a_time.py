# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_at_a_time.py NOPHOOK RUNTIME PROGRAM DATA: the lock of a process's settings, and who holds it."""

import fcntl
import subprocess
import sys

from serving import Serving

nophook, runtime, program, data = sys.argv[1:]
serving = Serving(nophook, runtime, program)


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def begin(*words):
    return subprocess.Popen([nophook, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def is_held(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(file, fcntl.LOCK_UN)
    return False


with open(f"/proc/{serving.pid}/environ", encoding="utf-8", errors="replace") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    pid = str(serving.pid)
    others = [begin("attach", pid, "-o", data, "--duration", "1ms"), begin("top", "--once", "-d", "1ms", pid)]
    for other in others:
        expect((other.stderr.read(), other.wait()),
               (f"nophook: process {pid}: another command has changed its settings for a while (nophook attach or top): end that "
                "first\n", 1))
    expect(serving.get("current_tracer"), "nop\n")
    fcntl.flock(file, fcntl.LOCK_UN)

    recorder = begin("attach", pid, "-o", data, "-l", "tick")
    recorder.stderr.readline()
    expect(is_held(file), True)
    second = begin("attach", pid, "-o", f"{data}.second")
    expect((second.stderr.read(), second.wait()), (f"nophook: {pid}: another recorder reads this process's events\n", 1))
    recorder.kill()
    recorder.wait()
    fcntl.flock(file, fcntl.LOCK_EX)  # the process that restores the settings has it
    expect((serving.get("current_tracer"), serving.get("set_ftrace_filter")), ("nop\n", "#### all functions enabled ####\n"))
    fcntl.flock(file, fcntl.LOCK_UN)
serving.end()
