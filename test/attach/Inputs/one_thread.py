# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_thread.py NOPHOOK PROGRAM FOLDER: which threads attach stops, by its own calls of ptrace."""

import os
import re
import subprocess
import sys

from attaching import Target, expect


def main():
    nophook, program, folder = sys.argv[1:]
    target = Target(nophook, program, folder)
    calls = os.path.join(folder, "calls")
    done = subprocess.run(["strace", "-f", "-qq", "-o", calls, "-e", "trace=ptrace", nophook, "start", str(target.pid), "turn"],
                          capture_output=True, text=True, check=False)
    expect((done.returncode, done.stderr), (0, ""))
    with open(calls, encoding="ascii") as file:
        requests = re.findall(r"ptrace\((PTRACE_\w+), (\d+)", file.read())
    expect(len({thread for _, thread in requests}), 1)
    expect([name for name, _ in requests].count("PTRACE_SEIZE"), 1)
    expect(len(requests) > 5, True)
    target.goes_on()
    expect(target.end(), 0)


main()
