#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether docs/systemd.md is right as far as systemd's own tools can say without a running systemd.

    systemd.py ROOT SCRATCH

systemd-analyze verifies each unit of the page, in which programs that are not installed here are replaced by
`true`. The system calls of docs/limits.md that @system-service lacks are printed: the page names them.
"""

import pathlib
import re
import subprocess
import sys


def units_of(page):
    for block in re.findall(r"^```ini\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        yield block.splitlines()[0].rsplit("/", 1)[1], re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", block)


def set_of(name):
    """The system calls of one of systemd's sets, with those of the sets in it."""
    text = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", name], capture_output=True, text=True, check=True).stdout
    words = {line.strip() for line in text.splitlines()[1:] if not line.strip().startswith("#")} - {""}
    inner = {word for word in words if word.startswith("@")}
    return (words - inner).union(*map(set_of, inner))


def main():
    root, scratch = map(pathlib.Path, sys.argv[1:3])
    scratch.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name, text in units_of(root / "docs/systemd.md"):
        (scratch / name).write_text(text)
        done = subprocess.run(["systemd-analyze", "--man=no", "verify", str(scratch / name)], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wrong += done.returncode != 0 or name in done.stdout
        print(f"{name}: {done.stdout.strip() or 'verified'}")
    lists = re.findall(r"^system calls: (.*?)\n\n", (root / "docs/limits.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    calls = set(re.findall(r"`(\w+)`", " ".join(lists)))
    print(f"of {len(calls)} system calls, @system-service lacks: {' '.join(sorted(calls - set_of('@system-service')))}")
    return wrong


sys.exit(main())
