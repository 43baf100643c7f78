#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what `return_rule` says about each row of a file's unwind table with llvm-dwarfdump.

    return_rule.py DWARFDUMP RETURN_RULE FILE
"""

import re
import subprocess
import sys


def main():
    dwarfdump, rule, file = sys.argv[1:]
    text = subprocess.run([dwarfdump, "--eh-frame", file], capture_output=True, text=True, check=True).stdout
    rows = {}
    for row in re.finditer(r"^ +0x([0-9a-f]+): (CFA=.*)", text, re.MULTILINE):
        rows[row[1]] = bool(re.search(r"(?:\b[WX]30|LR)=\[", row[2]))
    done = subprocess.run([rule, file], input="\n".join(rows), capture_output=True, text=True, check=True)
    found = [line == "1" for line in done.stdout.split()]
    wrong = [at for (at, stored), says in zip(rows.items(), found) if says and not stored]
    unknown = [at for (at, stored), says in zip(rows.items(), found) if stored and not says]
    print(f"{len(found)} rows, {sum(found)} stored, {len(wrong)} wrong, {len(unknown)} not known")
    if wrong or len(found) != len(rows) or len(unknown) * 100 > len(rows) or len(found) < 1000:
        sys.exit(f"wrong: {wrong[:20]} not known: {unknown[:20]}")


if __name__ == "__main__":
    main()
