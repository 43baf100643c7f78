#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_output.py NOPHOOK OTHER SYSROOT FOLDER RECORDING...: both commands print the same bytes about each recording.

OTHER is an AArch64 program, which qemu runs. Compared are the verbs that read recordings, and each format of export.
"""

import pathlib
import re
import shutil
import subprocess
import sys

VERBS = (["report"], ["report", "--json"], ["report", "--names", "linked"], ["report", "--top", "20"], ["graph"], ["info"],
         ["info", "--json"], ["diff"])


def run(command):
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def files(path):
    """The written files. A trace of CTF has a random number, in its metadata and in each packet."""
    if not path.is_dir():
        return {"": path.read_bytes()}
    found = {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
    number = re.search(rb'uuid = "([-0-9a-f]{36})"', found["metadata"])[1]
    binary = bytes.fromhex(number.decode().replace("-", ""))
    return {name: data.replace(number, b"").replace(binary, b"") for name, data in found.items()}


def main():
    nophook, other, sysroot, folder, *recordings = sys.argv[1:]
    commands = {"own": [nophook], "other": ["qemu-aarch64", "-L", sysroot, other]}
    shutil.rmtree(folder, ignore_errors=True)
    formats = re.search(rb"^--format\tFORMAT\t(.*)$", run([nophook, "export", "--complete"])[1], re.M)[1].decode().split()
    assert len(formats) >= 11, formats
    compared = 0
    for number, recording in enumerate(recordings):
        for verb in VERBS:
            arguments = [*verb, recording, *[recording] * (verb == ["diff"])]
            own, others = (run([*command, *arguments]) for command in commands.values())
            if own != others or own[0] or not own[1]:
                sys.exit(f"same_output.py: nophook {' '.join(arguments)}: {own}\n{others}")
            compared += len(own[1])
        for name in formats:
            written = {}
            for which, command in commands.items():
                path = pathlib.Path(folder, which, str(number), f"exported.{name}")
                path.parent.mkdir(parents=True, exist_ok=True)
                status, _, error = run([*command, "export", "--format", name, "-o", path, recording])
                if status:
                    sys.exit(f"same_output.py: {which}: export --format {name}: {error}")
                written[which] = files(path)
            if written["own"] != written["other"]:
                sys.exit(f"same_output.py: {recording}: export --format {name} differs: {folder}")
            compared += sum(map(len, written["own"].values()))
    print(f"{len(recordings)} recordings, {len(VERBS)} verbs, {len(formats)} formats: {compared} bytes are the same")


main()
