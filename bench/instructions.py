# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many instructions a command executes in user mode: what a loaded machine cannot change.

By valgrind, as virtual machines often have no performance counters. The count is the same in
each run but for what depends on addresses and times, a few thousand.
"""

import re
import subprocess


def count(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"valgrind: {' '.join(command)}: {done.stderr[-500:]}")
    return int(found[1])
