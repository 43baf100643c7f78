# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A 32-bit program of a few bytes: no machine must have the libraries of such programs for it."""

import pathlib
import struct
import subprocess
import tempfile

EXIT = bytes.fromhex("31dbb801000000cd80")  # exit(0)
PAUSE = bytes.fromhex("b81d000000cd80ebf7")  # for (;;) pause();
BASE = 0x8048000


def write(path, code):
    header = struct.pack("<4sBBB9xHHIIIIIHHHHHH", b"\x7fELF", 1, 1, 1, 2, 3, 1, BASE + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    segment = struct.pack("<IIIIIIII", 1, 0, BASE, BASE, 84 + len(code), 84 + len(code), 5, 0x1000)
    path.write_bytes(header + segment + code)
    path.chmod(0o755)


def runs_here():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program"
        write(path, EXIT)
        try:
            return subprocess.run([path], check=False).returncode == 0
        except OSError:
            return False
