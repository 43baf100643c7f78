# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""build_running.py NOPHOOK RUNTIME: in the tree of make.py, whose program is replaced while it runs."""

import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


def say(serving):
    print(serving.tell("x"))
    serving.program.stdout.readline()  # "--"


def run(*words):
    print(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout, end="")


def main():
    nophook, runtime = sys.argv[1:]
    serving = Serving(nophook, runtime, "build/prog")
    say(serving)
    shutil.copy("/bin/true", "build/newer")
    pathlib.Path("build/newer").replace("build/prog")
    run(nophook, "patch", "build", "../fix.diff", "--for", f"/proc/{serving.pid}/exe", "-o", "../fix.so")
    run(nophook, "patch", "apply", str(serving.pid), "../fix.so", "--wait")
    say(serving)
    serving.end()


main()
