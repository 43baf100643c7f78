# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""top_asleep.py NOPHOOK RUNTIME PROGRAM: what top says of a process that sleeps."""

import re
import sys

from serving import Serving

serving = Serving(*sys.argv[1:])
for _ in range(100):  # on a busy machine an interval may be without a call
    text = serving.run("top", serving.pid, "--once", "-d", "500ms", "-l", "nap").stdout
    cpu = re.search(r": (\d+) calls/s of 1 function, (\d+) % of a CPU", text)
    wall = re.search(r"^ *([0-9.]+) .* nap$", text, re.MULTILINE)
    if cpu and wall and int(cpu[1]) and float(wall[1]) > 50:
        break
else:
    sys.exit(f"no call is shown: {text}")
serving.program.kill()
serving.program.wait()
if int(cpu[2]) > 50:
    sys.exit(f"it sleeps: {text}")
