# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apply_bits32.py NOPHOOK FOLDER: what `patch list` says of a 32-bit process."""

import pathlib
import subprocess
import sys

import bits32

nophook, folder = sys.argv[1:]
program = pathlib.Path(folder) / "program"
bits32.write(program, bits32.PAUSE)
with subprocess.Popen([program]) as process:
    done = subprocess.run([nophook, "patch", "list", str(process.pid)], capture_output=True, text=True, check=False)
    print(done.returncode, done.stderr, end="")
    process.kill()
