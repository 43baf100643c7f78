# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""forged_owner.py NOPHOOK RUNTIME PROGRAM FOLDER: by a buffer, another user's process claims to be a process of root."""

import glob
import os
import signal
import struct
import subprocess
import sys
import time

nophook, runtime, program, folder = sys.argv[1:]
THEIRS = 65534
PID = 28  # its place in struct nophook_buffer


def run(*words):
    return subprocess.run([nophook, *map(str, words)], capture_output=True, text=True, check=False)


def serving(name, user):
    os.makedirs(f"{folder}/{name}/nophook", mode=0o700)
    for path in (f"{folder}/{name}", f"{folder}/{name}/nophook"):
        os.chown(path, user, user)
    env = dict(os.environ, NOPHOOK="serve", LD_PRELOAD=runtime, XDG_RUNTIME_DIR=f"{folder}/{name}")
    process = subprocess.Popen([program], env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, user=user, group=user,
                               extra_groups=[])
    while run("get", process.pid, "current_tracer").stdout != "nop\n":
        assert process.poll() is None
        time.sleep(0.01)
    return process


def start_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        return struct.pack("<Q", int(stat.read().rpartition(")")[2].split()[19]))


def forge():
    """A second buffer of theirs, which has the session of the first one and is said to be of `ours`."""
    (path,) = glob.glob(f"{folder}/theirs/nophook/*.buf")
    with open(path, "rb") as file:
        header = file.read(4096).replace(start_of(theirs.pid), start_of(ours.pid))
    new = f"{folder}/theirs/nophook/1-1"
    with open(new, "wb") as file:
        file.write(header[:PID] + struct.pack("<i", ours.pid) + header[PID + 4:])
        file.truncate(os.path.getsize(path))
    os.chown(new, THEIRS, THEIRS)
    os.rename(new, new + ".buf")


ours, theirs = serving("ours", 0), serving("theirs", THEIRS)
try:
    assert run("set", ours.pid, "current_tracer", "function").returncode == 0
    attach = subprocess.Popen([nophook, "attach", str(theirs.pid), "-o", f"{folder}/data"], stderr=subprocess.PIPE, text=True)
    assert "nophook: recording " in attach.stderr.readline()
    forge()
    attach.send_signal(signal.SIGINT)  # it takes what buffers there are, and puts the settings back
    assert "has ended" in attach.stderr.read() and attach.wait() == 0
    tracer = run("get", ours.pid, "current_tracer").stdout
    assert tracer == "function\n", tracer
finally:
    ours.kill()
    theirs.kill()
