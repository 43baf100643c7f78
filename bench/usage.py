# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processor time and peak memory of one command.

The kernel keeps a process's peak across exec(), and a child that Python spawns shares Python's memory until then. Its peak is
therefore never below Python's. Here `setsid --fork` is in between: it forks, and ends. The kernel hands the command to this
process, and the command's peak is its own.
"""

import ctypes
import os
import pathlib
import signal
import subprocess

PR_SET_CHILD_SUBREAPER = 36


def usage_of(command):
    """Processor seconds and peak MiB of a command that is one process. No other child may end at the same time."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        subprocess.run(["setsid", "--fork", *command], check=True, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(-1, 0)
    except BaseException:
        for pid in pathlib.Path("/proc/thread-self/children").read_text(encoding="ascii").split():
            os.kill(int(pid), signal.SIGKILL)
        raise
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    if status:
        raise RuntimeError(f"{command}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
