# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory_of_formats.py NOPHOOK DATA FOLDER: writes DATA in each format, in at most 64 MiB of memory. Only ctf stays in FOLDER."""

import os
import re
import subprocess
import sys

MOST_MIB = 64
nophook, data, folder = sys.argv[1:]
options = subprocess.run([nophook, "export", "--complete"], check=True, capture_output=True, text=True).stdout
for name in re.search(r"^--format\tFORMAT\t(.*)$", options, re.M)[1].split():
    path = f"{folder}/exported.{name}"
    child = subprocess.Popen([nophook, "export", "--format", name, "-o", path, data])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, f"{name} ended with status {child.returncode}"
    mib = usage.ru_maxrss >> 10
    assert mib <= MOST_MIB, f"{name}: {mib} MiB"
    if name != "ctf":
        os.remove(path)
    print(f"{name}: {mib} MiB, {usage.ru_utime + usage.ru_stime:.1f} s")
