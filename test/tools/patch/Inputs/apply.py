# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apply.py NOPHOOK RUNTIME FOLDER: patches come into FOLDER/program and leave it again."""

import json
import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def expect_in(part, text):
    if part not in text:
        sys.exit(f"found {text!r}, without {part!r}")


def main():
    nophook, runtime, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    serving = Serving(nophook, runtime, str(folder / "program"))

    def works(*words):
        done = serving.run("patch", *words)
        expect((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def fails(status, problem, *words):
        done = serving.run("patch", *words)
        expect(done.returncode, status)
        expect_in(problem, done.stderr)
        return done.stdout

    def is_mapped(name):
        return f"/{name}" in pathlib.Path(f"/proc/{serving.pid}/maps").read_text(encoding="utf-8")

    pid, fix, other = serving.pid, folder / "fix.so", folder / "other.so"

    # There and back, twice, and out.
    expect(serving.tell("answer"), "41")
    expect(works("apply", pid, fix, "--wait"), "fix: enabled\n")
    expect(serving.tell("answer"), "42")
    fails(1, "its live patch is enabled already", "apply", pid, fix)
    fails(1, "the live patch is enabled: revert it first", "unload", pid, "fix")
    expect(works("revert", pid, "fix", "--wait"), "fix: disabled\n")
    expect(serving.tell("answer"), "41")
    fails(1, "no live patch of this name is enabled", "revert", pid, "fix")
    expect(works("list", pid).splitlines()[1:], ["    -  disabled   -        fix"])
    expect(json.loads(works("apply", fix, "--wait", "--json")), {"name": "fix", "state": "enabled", "pending": []})
    expect(serving.tell("answer"), "42")
    works("revert", "fix", "--wait")
    expect(is_mapped("fix.so"), True)
    expect(works("unload", pid, "fix"), "fix: unloaded\n")
    expect(is_mapped("fix.so"), False)
    fails(1, "no library with a live patch of this name", "unload", pid, "fix")
    expect(works("list", pid), "no live patch\n")
    expect(serving.tell("answer"), "41")

    # By the process's own root.
    works("apply", pid, f"/proc/{pid}/root{fix.resolve()}", "--wait")
    expect(serving.tell("answer"), "42")

    # A newer file of the same name.
    shutil.copy(fix, folder / "new.so")
    (folder / "new.so").replace(fix)
    fails(1, "has loaded an older file of this name", "apply", pid, fix)

    # A thread that the patch has started is in the library until it ends.
    expect(serving.tell("invite"), "1")
    works("revert", pid, "fix", "--wait")
    still = fails(3, "threads have not been seen outside of the library yet", "unload", pid, "fix", "--timeout", "200ms", "--json")
    expect(len(json.loads(still)["pending"]), 1)
    expect(is_mapped("fix.so"), True)
    expect(serving.tell("let the guest go"), "0")
    works("unload", pid, "fix")
    expect(is_mapped("fix.so"), False)

    # A patch that cannot be applied leaves nothing.
    fails(1, "absent: question: the symbol table has no such function", "apply", pid, folder / "absent.so")
    fails(1, "no constructor of the library has enabled a live patch", "apply", pid, folder / "empty.so")
    fails(1, "is_nowhere", "apply", pid, folder / "unresolved.so")
    fails(1, "is not a 64-bit shared library", "apply", pid, pathlib.Path(__file__))
    fails(1, "No such file", "apply", pid, folder / "nowhere.so")
    fails(1, "is for another CPU", "apply", pid, foreign(fix, folder / "foreign.so"))
    for name in ("absent", "empty", "unresolved", "foreign"):
        expect(is_mapped(f"{name}.so"), False)
    fails(2, "apply takes a process and a library", "apply", pid)
    fails(2, "revert takes a process and the name of a live patch", "revert", pid)
    expect(serving.set("livepatch/load", "fix.so") is None, False)

    # A thread inside: the wait ends, the transition does not.
    tid = int(serving.tell("wait"))
    expect_in("enabling", works("apply", pid, other))
    status = json.loads(works("status", pid, "--json"))
    expect((status["name"], status["transition"]), ("other", True))
    fails(1, "the transition of another patch is under way", "apply", pid, fix)
    works("revert", pid, "other", "--wait")  # it is in the old version: turned round
    still = fails(3, "after 0.3 s it is still enabling: wait on", "apply", pid, other, "--wait", "--timeout", "300ms")
    expect_in(f"{tid:>8}  waiting-here", still)
    expect(serving.set("livepatch/other/force", "1"), None)
    expect(serving.tell("leave"), "0")
    works("revert", pid, "other", "--wait")
    fails(1, "a transition was forced", "unload", pid, "other")
    expect(works("list", pid).splitlines()[1:], ["    -  forced     -        other"])
    expect(serving.end()[0], 0)


def foreign(library, path):
    """The library, as if it were of another CPU."""
    data = bytearray(library.read_bytes())
    data[18] ^= 1  # e_machine
    path.write_bytes(data)
    return path


main()
