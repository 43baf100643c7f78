# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apply_unprepared.py NOPHOOK FOLDER: FOLDER/fix.so comes into FOLDER/program, which nobody has prepared."""

import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


class Unprepared(Serving):
    def __init__(self, nophook, program):
        self.nophook = nophook
        self.program = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.program.pid

    def expect(self, answer):
        found = self.tell("")
        if found != answer:
            sys.exit(f"the program's answer is {found}, not {answer}")

    def patch(self, status, text, *words):
        done = self.run("patch", *words)
        if done.returncode != status or text not in done.stdout + done.stderr:
            sys.exit(f"{words}: status {done.returncode}: {done.stdout + done.stderr}")


def main():
    nophook, folder = sys.argv[1:]
    process = Unprepared(nophook, f"{folder}/program")
    pid = process.pid
    process.expect("41")
    process.patch(1, "No such file", "apply", pid, f"{folder}/nowhere.so")
    if "libnophook" in pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8"):
        sys.exit("the runtime was loaded for a library that does not exist")
    process.patch(0, "fix: enabled", "apply", pid, f"{folder}/fix.so", "--wait")
    process.expect("42")
    process.patch(0, "fix: disabled", "revert", pid, "fix", "--wait")
    process.expect("41")
    process.patch(0, "fix: unloaded", "unload", pid, "fix")
    if process.end()[0]:
        sys.exit("the program has failed")


main()
