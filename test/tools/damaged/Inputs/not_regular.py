# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""not_regular.py NOPHOOK RECORDMCOUNT FOLDER: each input of the commands is replaced by what is no such file."""

import glob
import os
import resource
import shutil
import subprocess
import sys

PATIENCE = 600  # seconds: a test fails by this only if a command does not end
SPARSE = 64 << 30
MEMORY = 2 << 30  # limit of a command: its copy of a file has a bound


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
    if done.returncode not in (0, 1):
        sys.exit(f"{words}: {done.returncode} {done.stderr}")
    return done


def put(kind, path):
    """Replaces the existing file; `longer` keeps it, and appends nothing."""
    if kind != "longer" and os.path.lexists(path):
        os.unlink(path)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        os.symlink("/dev/zero", path)
    else:
        with open(path, "ab") as file:
            file.truncate(SPARSE)


def main():
    nophook, recordmcount, folder = sys.argv[1:]
    kinds = ("fifo", "device", "sparse", "longer")
    one = os.path.join(folder, "one")
    for left, suffix in (("left", "buf"), ("left", "maps"), ("profile", "prof")):
        for kind in kinds:
            shutil.rmtree(one, ignore_errors=True)
            shutil.copytree(os.path.join(folder, left), one)
            put(kind, glob.glob(f"{one}/*.{suffix}")[0])
            for words in (["recover", one, "-o", f"{folder}/new.data"], ["recover", "--list", one], ["stat", one],
                          ["report", one], ["recover", "--clean", one]):
                run(nophook, *words)
    for kind in kinds:
        name = os.path.join(folder, "input")
        if kind == "longer":
            shutil.copy(os.path.join(folder, "program"), name)
        put(kind, name)
        verbs = [["list", name], ["why", "main", name], ["export", "--uprobes", name], ["report", name],
                 ["latency", "main", name], ["stack", name], ["recover", name], ["stat", name],
                 ["export", "--format", "trace.dat", "-o", f"{folder}/new.dat", name]]
        for words in verbs:
            done = run(nophook, *words)
            if kind != "longer" and done.returncode != 1:
                sys.exit(f"{kind}: {words} has found something: {done.stdout}")
        if run(recordmcount, name).returncode != 1:
            sys.exit(f"recordmcount takes a {kind}")
        os.unlink(name)
    shutil.rmtree(one)


main()
