#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""on_small_disk.py FOLDER COPY COMMAND...: runs the command while FOLDER is a disk of 1 MiB.

In a mount namespace of its own. The command's FOLDER/data is copied to COPY.
"""

import os
import shutil
import subprocess
import sys

folder, copy, command = sys.argv[1], sys.argv[2], sys.argv[3:]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], check=True)
status = subprocess.run(command, check=False).returncode
shutil.copyfile(os.path.join(folder, "data"), copy)
sys.exit(status)
