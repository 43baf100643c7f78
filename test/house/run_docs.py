#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a document: a reader will type them, so they must work.

    run_docs.py ROOT DOCUMENT... SCRATCH

Every ```sh block, in order, in one bash with -e, in a scratch folder that looks like the
tree's root (links to its files), so that what the commands make is not left in the tree.
Several documents run one after the other in the same folder, each in a bash of its own. It
stops at the first one that fails.

Honest exceptions: a line that begins with `./do` is not run, because it would run this test
inside itself or take minutes; it must name a verb that `./do` lists. `git clone` and `cd`
are taken as read. Anything else is run.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def lines_to_run(text, verbs):
    """The script's lines; dies at a ./do that names no verb."""
    for block in FENCE.findall(text):
        for line in block.splitlines():
            words = line.split()
            if not words or words[0] in ("git", "cd"):
                continue
            if words[0] == "./do":
                if len(words) > 1 and words[1] not in verbs:
                    sys.exit(f"./do has no verb {words[1]!r}: {line}")
                print(f"listed: {line}")
                continue
            yield line


def main():
    root, *documents, scratch = (pathlib.Path(arg).resolve() for arg in sys.argv[1:])
    usage = subprocess.run([root / "do"], capture_output=True, text=True, check=True).stdout
    verbs = re.findall(r"^  \./do (\w+)", usage, re.MULTILINE)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for entry in root.iterdir():
        if entry.name != ".git":
            (scratch / entry.name).symlink_to(entry)
    (scratch / "runtime-dir").mkdir(mode=0o700)  # buffers without a recorder go there
    for document in documents:
        script = list(lines_to_run(document.read_text(encoding="utf-8"), verbs))
        done = subprocess.run(["bash", "-exuo", "pipefail", "-c", "\n".join(script)], cwd=scratch, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "PAGER": "cat", "XDG_RUNTIME_DIR": str(scratch / "runtime-dir")})
        print(f"run: {len(script)} lines", *[f"of {document.name}"] * (len(documents) > 1), flush=True)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
