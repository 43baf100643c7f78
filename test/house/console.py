#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a document says that commands print with what they print.

    console.py ROOT DOCUMENT SCRATCH            exit 1 and a diff if they differ
    console.py --update ROOT DOCUMENT SCRATCH   writes into the document what they print

In a ```console block a line `$ COMMAND` is run, in one bash for the whole document and in a scratch
folder that looks like the tree's root; the lines below it are its output, to the letter, but for
`...`, which stands for anything within a line. A command that fails is a failure.
"""

import difflib
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = "console.py: end of command"


def commands_of(block):
    """[command, expected lines] for each `$` line of a block."""
    commands = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], []])
        else:
            commands[-1][1].append(line)
    return commands


def run(commands, scratch):
    """The lines that each command prints."""
    script = "".join(f"{command}\necho '{MARK}'\n" for command in commands)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=scratch, check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    outputs = [part.splitlines() for part in done.stdout.split(MARK + "\n")]
    if done.returncode:
        sys.exit("\n".join([f"failed with status {done.returncode}: {commands[len(outputs) - 1]}", *outputs[-1]]))
    return outputs[:-1]


def same(expected, line):
    return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), line) is not None


def keep_wildcards(expected, printed):
    """The printed lines, but those that the document has with a `...` that still holds."""
    return [next((old for old in expected if "..." in old and same(old, line)), line) for line in printed]


def main():
    update = sys.argv[1] == "--update"
    root, document, scratch = (pathlib.Path(arg).resolve() for arg in sys.argv[1 + update:4 + update])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for entry in root.iterdir():
        if entry.name != ".git":
            (scratch / entry.name).symlink_to(entry)
    text = document.read_text(encoding="utf-8")
    blocks = [commands_of(block) for block in BLOCK.findall(text)]
    outputs = iter(run([command for block in blocks for command, _ in block], scratch))
    printed = []
    for block in blocks:
        lines = []
        for command, expected in block:
            lines += ["$ " + command, *keep_wildcards(expected, next(outputs))]
        printed.append("```console\n" + "".join(line + "\n" for line in lines) + "```")
    replacements = iter(printed)
    new = BLOCK.sub(lambda _: next(replacements), text)
    print(f"console: {sum(map(len, blocks))} commands")
    if new == text:
        return 0
    if update:
        document.write_text(new, encoding="utf-8")
        return 0
    print("\n".join(difflib.unified_diff(text.splitlines(), new.splitlines(), "the document", "what is printed", lineterm="")))
    return 1


if __name__ == "__main__":
    sys.exit(main())
