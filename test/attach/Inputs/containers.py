# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""containers.py BUILD PROGRAM FOLDER KIND...: processes in namespaces of their own are attached to from outside, by their
owner and by root, and left dormant. As root it takes other owners, too, and a mount namespace of its own: others may not
get to BUILD."""

import json
import os
import shutil
import subprocess
import sys

from attaching import Target, expect, until
from other_users import NOBODY, place_for_all

SCRIPT = os.path.join(os.path.dirname(__file__), "container.sh")


def start(place, program, script, folder, owner):
    """The target, and its number outside: a PID namespace's first process has a parent that waits."""
    nophook, lib = f"{place}/bin/nophook", f"{place}/lib"
    kind = os.path.basename(folder)
    os.mkdir(folder)
    if owner:
        os.chown(folder, 65534, 65534)
    program = shutil.copy(program, folder)
    target = Target(nophook, [*owner, script, kind, program, lib, folder], folder)
    with open(f"/proc/{target.pid}/task/{target.pid}/children", encoding="ascii") as file:
        target.pid = int((file.read().split() or [target.pid])[0])
    return target


def check(target, attacher):
    """Woken twice: with the runtime to be loaded, and with one that lies dormant."""
    def run(*words):
        done = subprocess.run([*attacher, target.nophook, *map(str, words)], capture_output=True, text=True, check=False)
        expect((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def state():
        all_lines = map(json.loads, run("ps", "--all", "--json").splitlines())
        return next((line["state"] for line in all_lines if line["pid"] == target.pid), None)

    descriptors = sorted(os.listdir(f"/proc/{target.pid}/fd"))
    for _ in range(2):
        run("start", target.pid, "turn", "-p", "function")
        until(lambda: " <-" in run("show", target.pid), "an event")
        run("stop", target.pid)
        target.goes_on()
        expect(state(), "serves")
        recording = ("attach", target.pid, "-o", target.scratch, "-p", "function", "--duration", "1ms")
        done = subprocess.run([*attacher, target.nophook, *map(str, recording), "--detach"], capture_output=True, text=True, check=False)
        expect((done.returncode, "0 events lost" in done.stderr, done.stderr), (0, True, done.stderr))
        target.goes_on()
        expect(state(), "dormant")
    expect(sorted(os.listdir(f"/proc/{target.pid}/fd")), descriptors)
    expect(target.end(), 0)


def main():
    build, program, folder, *kinds = sys.argv[1:]
    place, script = build, SCRIPT
    cases = [((), ())]
    if os.geteuid() == 0:
        folder = place = place_for_all(build)
        program, script = shutil.copy(program, place), shutil.copy(SCRIPT, place)
        cases += [(NOBODY, ()), (NOBODY, NOBODY)]
    for number, (owner, attacher) in enumerate(cases):
        os.mkdir(f"{folder}/{number}")
        for kind in kinds:
            check(start(place, program, script, f"{folder}/{number}/{kind}", owner), attacher)


main()
