#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""each_name.py NOPHOOK PROGRAM... -- TYPED... = FUNCTION: with each typed name, `record -l` records FUNCTION alone.

A name may be in a file, @PATH. A FUNCTION that ends in ... has anything behind it."""

import os
import subprocess
import sys
import tempfile

programs = sys.argv[2:sys.argv.index("--")]
typed, function = sys.argv[sys.argv.index("--") + 1:-2], sys.argv[-1]


def is_meant(call):
    return call.startswith(function[:-3]) if function.endswith("...") else call == function


for program in programs:
    for name in typed:
        if name.startswith("@"):
            with open(name[1:], encoding="utf-8") as file:
                name = file.read().strip()
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            subprocess.run([sys.argv[1], "record", "-p", "function", "-o", data, "-l", name, "--", program], check=True)
            text = subprocess.run([sys.argv[1], "report", data], check=True, text=True, stdout=subprocess.PIPE).stdout
        calls = [line.split(": ", 1)[1].rsplit(" <-", 1)[0] for line in text.splitlines() if not line.startswith("#")]
        if len(calls) != 1 or not is_meant(calls[0]):
            sys.exit(f"{program} -l '{name}': {calls}")
