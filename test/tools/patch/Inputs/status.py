# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""status.py NOPHOOK RUNTIME PROGRAM: a patch is enabled, waits for a thread, and is switched off."""

import json
import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    serving = Serving(*sys.argv[1:])

    def patch(*words):
        done = serving.run("patch", *words)
        expect((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def pending():
        return [thread.get("tid") for thread in json.loads(patch("status", serving.pid, "--json"))["pending"]]

    expect(patch("list"), "no live patch\n")
    expect(patch("status", serving.pid), "no live patch\n")
    expect(patch("list", serving.pid, "--json"), "")
    tid = int(serving.tell("tid"))
    low = int(serving.tell("suspend a fiber"), 16)
    stack = f"{low:016x}-{low + (1 << 16):016x}"
    expect(serving.tell("enable"), "0")
    while pending() != [tid, None]:  # until sleepers have changed over
        time.sleep(0.02)
    state = {"name": "program", "enabled": True, "transition": True, "replace": False, "stack_order": 1}
    expect(json.loads(patch("list", "--json")), state)
    thread, fiber = json.loads(patch("status", "--json"))["pending"]
    expect((thread["tid"], thread["name"]), (tid, "waiting-here"))
    expect(thread["state"] is not None, True)
    expect(fiber, {"fiber": stack, "state": "waits in suspends"})
    head = "ORDER  STATE      REPLACE  NAME\n    1  enabling   no       program\n"
    expect(patch("list", serving.pid), head)
    status = patch("status", serving.pid)
    expect(status.startswith(f"{head}       waits for 1 thread and 1 fiber:\n       {tid:>8}  waiting-here     "), True)
    expect(status.endswith(f"\n          fiber  {stack}  waits in suspends\n"), True)
    expect(serving.tell("resume it"), "0")
    expect(serving.tell("leave"), "2")
    expect(patch("status").splitlines()[1:], ["    1  enabled    no       program"])
    expect(json.loads(patch("status", "--json")), {**state, "transition": False, "pending": []})
    expect(serving.set("livepatch/program/enabled", "0"), None)
    while patch("list") != "no live patch\n":
        time.sleep(0.02)
    wrong = serving.run("patch", "status", serving.pid, "more")
    expect((wrong.returncode, wrong.stderr), (2, "nophook: patch: status takes one process (see nophook patch --help)\n"))
    expect(serving.end()[0], 0)
    expect(serving.run("patch", "list", serving.pid).returncode, 1)


main()
