#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A suite whose one process sleeps, beside one that belongs to no test. hung.py ROOT"""

import subprocess
import sys
import time

sys.path.insert(0, f"{sys.argv[1]}/scripts")
from hung import end_hung

outside = subprocess.Popen(["sleep", "1000"], start_new_session=True)
suite = subprocess.Popen(["sh", "-c", "sleep 1000; exit $?"], start_new_session=True)
while suite.poll() is None:
    print(*end_hung(suite.pid, 1), sep="\n", end="", flush=True)
    time.sleep(0.1)
print("the suite ended with status", suite.returncode)
print("the one outside runs" if outside.poll() is None else "the one outside was ended")
outside.kill()
