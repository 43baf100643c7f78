#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints compile_commands.json for a build of mksh, from the script that its Build.sh leaves: mksh_commands.py FOLDER"""

import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1]).resolve()
compiles = re.findall(r"^(.* -c (\S+\.c)) \|\| exit 1$", (folder / "Rebuild.sh").read_text(encoding="utf-8"), re.MULTILINE)
print(json.dumps([{"directory": str(folder), "file": str((folder / name).resolve()), "command": command}
                  for command, name in compiles], indent=1))
