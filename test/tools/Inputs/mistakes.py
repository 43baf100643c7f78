#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mistakes.py NOPHOOK PROGRAM RECORDING FOLDER ARCHIVE: a table of command lines, each with its exit status and what it says."""

import re
import subprocess
import sys

nophook, program, data, folder, archive = sys.argv[1:]
out = data + ".out"

CASES = [
    # The order of a name and a file, and the number of an option.
    (["graph", data, "main"], 0, r"main"),
    (["latency", data, "main"], 0, r"main"),
    (["why", program, "main"], 0, r"main: traceable"),
    (["why", "main", program, "--json"], 0, r'{"function":"main","traceable":true,'),
    (["diff", "--top", "1", data, data], 0, r"main|handle_one"),
    (["report", "--top", "1", data], 0, r"main|handle_one"),
    (["record", "-m", "10M", "-o", out, program], 0, r"4 events"),
    (["record", "-m", "0M", "-o", out, program], 2, r"--buffer"),
    # Names.
    (["latency", "nosuch", data], 1, r"no time from nosuch to its return was recorded; 'nosuch' is no function of the recording"),
    (["record", "-l", "handle*", "-o", out, program], 2, r"the nearest: \*::handle\*"),
    (["version"], 0, r"^nophook \d"),
    (["recrod"], 2, r"^nophook: unknown verb 'recrod', did you mean 'record'\?$"),
    (["help", "record"], 0, r"Usage: nophook record \[OPTIONS\] \[--\] PROGRAM \[ARGS\.\.\.\]"),
    # Files that are no recordings.
    (["report", archive], 1, r"is an archive of objects, not a recording: nophook record writes one"),
    (["report", folder], 1, r"has no buffers .*a recording is a file, such as nophook.data"),
    (["report", program], 1, r"is a program or a library, not a recording: nophook record PROGRAM makes one"),
    (["report", "/dev/null"], 1, r"is not a regular file"),
    # Programs.
    (["record", "-o", out, "--", "./nosuch"], 127, r"nosuch: there is no such program"),
    (["record", "-o", out, "ls", folder], 0, r"build it with nophook cc"),
    (["record", "--strict", "-o", out, "ls", folder], 1, r"nothing was recorded \(--strict\)"),
    # Nothing matched: docs/reference/exit-status.md.
    (["report", "--tid", "1", data], 1, r"nothing in it matches the options"),
    (["report", "--min-duration", "1000s", data], 1, r"no selected call took 1000s"),
    (["graph", "--tid", "1", data], 1, r"nothing in it matches the options"),
    (["stack", "--time", "+1000,", data], 1, r"nothing in it matches the options"),
    (["export", "--format", "json", "--only", "none.c", data], 1, r"no call of a function in 'none.c' was recorded"),
    (["report", "--function", "app::nosuch", data], 1, r"no call of 'app::nosuch' was recorded"),
    (["graph", "nosuch", data], 1, r"no call of 'nosuch' was recorded"),
    (["report", "--where", "app::handle_one.n > 50", data], 1, r"cannot be judged: the calls were recorded without arguments"),
    (["graph", "--where", "app::handle_one.n > 50", data], 1, r"cannot be judged"),
    (["export", "--format", "json", "--where", "app::handle_one.n > 50", data], 1, r"cannot be judged"),
    (["diff", "--where", "app::handle_one.n > 50", data, data], 1, r"cannot be judged"),
]

wrong = []
for words, status, said in CASES:
    run = subprocess.run([nophook, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    if run.returncode != status or not re.search(said, run.stdout, re.M):
        wrong.append(f"nophook {' '.join(words)}: {run.returncode}, not {status}\n{run.stdout}not: {said}\n")
    if words[0] == "help" and run.stdout.lower().count("usage:") != 1:
        wrong.append(f"two usage lines:\n{run.stdout}")
sys.exit("\n".join(wrong) or 0)
