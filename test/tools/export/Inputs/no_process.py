# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages all chunks of a recording that say something of a process, and reads the rest in every way.

  no_process.py NOPHOOK DATA FOLDER
"""

import os
import shutil
import struct
import subprocess
import sys

NOPHOOK, DATA, FOLDER = sys.argv[1:]
PROCESS, MAP, SAME_MAP, SUBBUF, PACKED = 2, 4, 9, 5, 11

with open(DATA, "rb") as recording:
    data = bytearray(recording.read())
at, subbufs = 32, 0
while at < len(data):
    kind, size = struct.unpack_from("<4xH2xI", data, at)
    if kind in (PROCESS, MAP, SAME_MAP):
        data[at + 32] ^= 1
    subbufs += kind in (SUBBUF, PACKED)
    at += 32 + size
assert subbufs
shutil.rmtree(FOLDER, ignore_errors=True)
os.mkdir(FOLDER)
os.chdir(FOLDER)
with open("r.data", "wb") as recording:
    recording.write(data)

FORMATS = ("text", "json", "perfetto", "chrome", "speedscope", "firefox", "folded", "callgrind", "pprof", "ctf", "trace.dat")
WAYS = [["export", "--format", name, "-o", name] for name in FORMATS] + [
    ["report"], ["report", "--json"], ["report", "--top"], ["report", "--by", "thread"], ["graph"], ["latency", "*"], ["stack"], ["info"], ["info", "--json"],
    ["view", "--output", "page.html"]]
for way in WAYS:
    run = subprocess.run([NOPHOOK, *way, "r.data"], capture_output=True, text=True, errors="replace", check=False)
    assert run.returncode in (0, 1) and "terminate" not in run.stderr, (way, run.returncode, run.stderr)
for name in ("chrome", "firefox", "perfetto"):
    with open(name, "rb") as output:
        assert b"unknown process" in output.read(), name
print(len(WAYS), "ways")
