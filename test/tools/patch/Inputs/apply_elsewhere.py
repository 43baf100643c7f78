# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apply_elsewhere.py NOPHOOK RUNTIME FOLDER: FOLDER/program has a mount of its own over FOLDER/hidden."""

import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


class Elsewhere(Serving):
    def __init__(self, nophook, runtime, folder):
        self.nophook = nophook
        words = f"mount -t tmpfs none {folder}/hidden && exec env NOPHOOK=serve LD_PRELOAD={runtime} {folder}/program"
        self.program = subprocess.Popen(["unshare", "-rm", "sh", "-c", words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.pid = self.program.pid
        self.wait_for(self.pid)

    def apply(self, library):
        done = self.run("patch", "apply", self.pid, library, "--wait")
        print(done.returncode, done.stdout + done.stderr, end="")


def main():
    nophook, runtime, folder = sys.argv[1:]
    process = Elsewhere(nophook, runtime, folder)
    fix, copy = f"{folder}/hidden/fix.so", f"/proc/{process.pid}/root{folder}/hidden/fix.so"
    process.apply(fix)  # no such file there
    print(process.tell(""))
    shutil.copy(fix, copy)
    process.apply(fix)  # another file
    process.apply(copy)
    print(process.tell(""))
    process.end()


main()
