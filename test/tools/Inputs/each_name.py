#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""each_name.py NOPHOOK PROGRAM... -- TYPED... = FUNCTION: with each typed name, `record -l` records FUNCTION alone."""

import os
import subprocess
import sys
import tempfile

programs = sys.argv[2:sys.argv.index("--")]
typed, function = sys.argv[sys.argv.index("--") + 1:-2], sys.argv[-1]
for program in programs:
    for name in typed:
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            subprocess.run([sys.argv[1], "record", "-p", "function", "-o", data, "-l", name, "--", program], check=True)
            text = subprocess.run([sys.argv[1], "report", data], check=True, text=True, stdout=subprocess.PIPE).stdout
        calls = [line.split(": ", 1)[1].rsplit(" <-", 1)[0] for line in text.splitlines() if not line.startswith("#")]
        if calls != [function]:
            sys.exit(f"{program} -l '{name}': {calls}")
