#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program of host.c, patches it, and takes the patch back.

    live.py NOPHOOK RUNTIME PROGRAM PATCH [WORD...]

Each WORD is a step, by default `x`: all of them run before, with the patch, and behind it. The program's output is
printed, with a line in front of each part.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

nophook, runtime, program, patch, *words = sys.argv[1:]
patch = os.path.abspath(patch)
name = pathlib.Path(patch).stem
os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(dir=pathlib.Path(patch).parent)  # other tests list what serves
process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                           env={**os.environ, "NOPHOOK": "serve", "LD_PRELOAD": runtime})


def say(line):
    process.stdin.write(line + "\n")
    process.stdin.flush()
    for answer in process.stdout:
        if answer == "--\n":
            return
        print(answer, end="")
    sys.exit(f"the program has ended: {process.wait()}")


def steps(title):
    print(f"== {title}")
    for word in words or ["x"]:
        say(word)


def control(*arguments):
    return subprocess.run([nophook, *arguments], capture_output=True, text=True)


def log():
    return control("get", str(process.pid), "log").stdout


def wait_until_enabled():
    for _ in range(600):
        shown = control("patch", "list", str(process.pid)).stdout
        if any(line.split()[1:2] == ["enabled"] and line.split()[-1] == name for line in shown.splitlines()):
            return
        if "the patch is for build id" in log():  # it is refused
            break
        time.sleep(0.05)
    said = log()
    process.kill()
    sys.exit(f"{name} is not there: {shown}{said}")


steps("before")
say(patch)
wait_until_enabled()
steps("patched")
subprocess.run([nophook, "patch", "revert", str(process.pid), name, "--wait"], stdout=subprocess.DEVNULL, check=True)
steps("reverted")
process.stdin.close()
process.wait()
