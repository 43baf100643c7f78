# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attach_meanwhile.py NOPHOOK RUNTIME PROGRAM PRELOADED SCRATCH: a recording by a command whose calls PRELOADED changes."""

import os
import subprocess
import sys

from serving import Serving


def main():
    nophook, runtime, program, preloaded, scratch = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    done = subprocess.run([nophook, "attach", str(serving.pid), "-o", scratch, "--duration", "1ms"],
                          env=dict(os.environ, LD_PRELOAD=preloaded), stderr=subprocess.PIPE, text=True, check=False)
    serving.end()
    if done.returncode != 0:
        sys.exit(f"it ends with {done.returncode}: {done.stderr}")


main()
