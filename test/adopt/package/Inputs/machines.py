#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every ELF file of a folder, and every member of an archive there, is for one CPU.

    machines.py FOLDER MACHINE      MACHINE as llvm-readelf prints it
"""

import pathlib
import subprocess
import sys


def main():
    folder, wanted = sys.argv[1:]
    found = []
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] in (b"\x7fELF", b"!<ar"):
            done = subprocess.run(["llvm-readelf", "-h", path], check=True, stdout=subprocess.PIPE, text=True)
            machines = [line.split(maxsplit=1)[1] for line in done.stdout.splitlines() if line.strip().startswith("Machine:")]
            if set(machines) != {wanted}:
                sys.exit(f"{path} is for {sorted(set(machines))}, not {wanted}")
            found += machines
    print(f"{len(found)} ELF files for {wanted}")


main()
