# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damaged.py NOPHOOK RUNTIME FOLDER: damaged copies of FOLDER/fix.so, by `patch build`, and of FOLDER/own.so, by a compiler,
come to a program and are refused."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    nophook, runtime, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    serving = Serving(nophook, runtime, str(folder / "old/build/prog"))

    def says(word):
        line = serving.tell("x")
        expect((line, serving.program.stdout.readline()), (f"x {word}", "--\n"))

    def is_refused(name, damaged, why):
        path = folder / name
        path.write_bytes(damaged)
        done = serving.run("patch", "apply", serving.pid, path, "--wait")
        expect((done.returncode, why in done.stderr, done.stderr.count("\n")), (1, True, 1))
        error = serving.set("livepatch/load", str(path))
        expect((why in error, error), (True, error))
        says(1)

    for file in ("fix", "own"):
        whole = (folder / f"{file}.so").read_bytes()
        for bytes_left in (9000, 5000, 1000, 64, 10, 0):
            is_refused(f"{file}-{bytes_left}.so", whole[:bytes_left], "is not a 64-bit shared library" if bytes_left < 64 else "is cut short")
    whole = bytearray((folder / "fix.so").read_bytes())
    whole[whole.index(b"%s 2") + 3] = ord("9")
    is_refused("changed.so", whole, "its bytes are not those that nophook patch build has written")

    for file, word in (("fix", 2), ("own", 3), ("stripped", 2)):
        done = serving.run("patch", "apply", serving.pid, folder / f"{file}.so", "--wait")
        expect((done.returncode, done.stderr), (0, ""))
        says(word)
        serving.run("patch", "revert", serving.pid, file, "--wait")
    expect(serving.end()[0], 0)


main()
