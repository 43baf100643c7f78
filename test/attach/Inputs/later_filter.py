# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""later_filter.py COMMAND...: closes the command's input when it says that it traces no longer, and prints its status."""

import subprocess
import sys
import threading

command = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
patience = threading.Timer(60, command.stdin.close)  # a recorder that does not look
patience.start()
for line in command.stderr:
    print(line, end="")
    if "traced no longer" in line:
        command.stdin.close()
patience.cancel()
print(f"exit status {command.wait()}")
