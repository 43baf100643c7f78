# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attached.py NOPHOOK FOLDER TIMES TORTURE...: attaches to it so often while it runs, then ends it. Prints its line, and how often
that succeeded."""

import os
import pathlib
import subprocess
import sys

nophook, folder, times, *torture = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
environment = {**os.environ, "XDG_RUNTIME_DIR": folder}
program = subprocess.Popen(torture, env=environment, stdout=subprocess.PIPE, text=True)
done = 0
for number in range(int(times)):
    tracer = ["function", "function_graph", "profile", "hits"][number % 4]
    command = [nophook, "attach", "-p", tracer, "-l", "leaf", "--duration", "0.3s", "-o", pathlib.Path(folder, "data"), str(program.pid)]
    attach = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    done += attach.returncode == 0
    if attach.returncode:
        print(attach.stderr, end="")
program.terminate()
print(program.communicate(timeout=300)[0], end="")
print(f"attached {done} times, exit status {program.returncode}")
