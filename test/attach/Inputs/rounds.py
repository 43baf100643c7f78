# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rounds.py NOPHOOK PROGRAM FOLDER ROUNDS KIND...: attaches to the program, of each kind, and leaves it dormant."""

import json
import sys

from attaching import Target, expect


def rounds_of(kind, nophook, program, folder, rounds):
    target = Target(nophook, program, folder, kind)
    for _ in range(rounds):
        target.attach("--detach")
        target.goes_on()
        expect(target.is_dormant(), True)
    states = {line["pid"]: line["state"] for line in map(json.loads, target.run("ps", "--all", "--json").stdout.splitlines())}
    expect(states[target.pid], "dormant")
    expect(target.end(), 0)


def main():
    nophook, program, folder, rounds, *kinds = sys.argv[1:]
    for kind in kinds:
        rounds_of(kind, nophook, program, folder, int(rounds))


main()
