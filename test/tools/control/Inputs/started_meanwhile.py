# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""started_meanwhile.py NOPHOOK RUNTIME PROGRAM PRELOADED: a client whose connections PRELOADED changes."""

import os
import subprocess
import sys

from serving import Serving


def main():
    nophook, runtime, program, preloaded = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    folder = os.path.dirname(serving.socket_path())
    before = os.listdir(folder)
    done = subprocess.run([nophook, "get", str(serving.pid), "current_tracer"], env=dict(os.environ, LD_PRELOAD=preloaded),
                          capture_output=True, text=True, check=False)
    if (done.stdout, done.stderr) != ("nop\n", ""):
        sys.exit(f"it says {done}")
    if os.listdir(folder) != before or serving.get("current_tracer") != "nop\n":
        sys.exit(f"it leaves {os.listdir(folder)}, not {before}")
    if serving.end() != (0, "the answer\n"):
        sys.exit("the program's answer has changed")


main()
