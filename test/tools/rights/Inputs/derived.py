# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the rights of files that are made from a recording with those of the recording.

  derived.py NOPHOOK PROGRAM FOLDER
"""

import os
import shutil
import subprocess
import sys

NOPHOOK, PROGRAM, FOLDER = sys.argv[1:]


def nophook(*arguments):
    subprocess.run([NOPHOOK, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def rights(*names, folder=0):
    for name in names:
        mode = os.stat(name).st_mode & 0o777
        assert mode == MODE | folder, (name, oct(mode))


def export(style, *output):
    nophook("export", "--format", style, *output)


shutil.rmtree(FOLDER, ignore_errors=True)
os.mkdir(FOLDER)
os.chdir(FOLDER)
os.umask(0o022)
MODE = 0o600
nophook("record", "--index", "--", PROGRAM)
rights("nophook.data", "nophook.data.index")
for style in ("perfetto", "pprof", "ctf", "trace.dat"):
    export(style)
export("chrome", "-o", "trace.json")
nophook("view", "--output", "page.html")
rights("trace.pftrace", "trace.pb", "trace.dat", "trace.json", "page.html")
rights("trace.ctf", folder=0o100)
rights(*(os.path.join("trace.ctf", name) for name in os.listdir("trace.ctf")))

# An existing file, as of an earlier recording, is no exception; nor is the recording itself.
os.chmod("trace.json", 0o644)
export("chrome", "-o", "trace.json")
open("empty.data", "x", encoding="utf-8").close()
nophook("record", "-o", "empty.data", "--", PROGRAM)
rights("trace.json", "empty.data")

# A recording that its owner has given to others gives its rights, as far as the umask allows them.
MODE = 0o644
os.chmod("nophook.data", 0o666)
os.unlink("nophook.data.index")
nophook("view", "--index-only")
export("chrome", "-o", "new.json")
rights("nophook.data.index", "new.json")
print("no more rights")
