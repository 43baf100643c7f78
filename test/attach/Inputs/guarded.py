# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""guarded.py NOPHOOK PROGRAM FOLDER: prints what attach says of the program, and which functions it then records."""

import json
import sys

from attaching import Target, expect, until


def main():
    nophook, program, folder = sys.argv[1:]
    target = Target(nophook, program, folder)
    names = set()

    def records_any():
        said = target.attach()
        lines = target.run("report", "--json", target.scratch).stdout.splitlines()
        names.update(json.loads(line)["function"] for line in lines if '"kind":"function"' in line)
        if names:
            print(said, end="")
        return names

    until(records_any, "an event")
    print("traced:", *sorted(names))
    target.goes_on()
    expect(target.end(), 0)


main()
