# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the first line of a command, then ends the command.

    first_line.py COMMAND [ARGUMENT...]
"""

import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
print(process.stdout.readline().rstrip())
process.terminate()
process.wait()
