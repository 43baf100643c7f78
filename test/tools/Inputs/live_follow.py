#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""live_follow.py NOPHOOK PROGRAM: `live --follow` prints a call while the program still runs: the program ends only after its
call has been read."""

import subprocess
import sys


def main():
    nophook, program = sys.argv[1:]
    command = [nophook, "live", "--follow", "-l", "in_*", "--", program, "wait"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if "in_leaf()" in line:
                break
        else:
            sys.exit("the output ended without the call")
        print("go on", file=process.stdin, flush=True)
        process.communicate()
    if process.returncode:
        sys.exit(f"exit status {process.returncode}")


main()
