#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and fails if it ever had more memory than that.

peak.py MIB COMMAND...
"""

import os
import sys

limit, command = int(sys.argv[1]), sys.argv[2:]
pid = os.posix_spawn(command[0], command, os.environ,
                     file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
_, status, usage = os.wait4(pid, 0)
print(f"{usage.ru_maxrss / 1024:.1f} MiB")
sys.exit(os.waitstatus_to_exitcode(status) or usage.ru_maxrss > limit << 10)
