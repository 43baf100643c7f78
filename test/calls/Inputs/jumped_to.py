# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jumped_to.py HEADER SOURCE < `list --calls --json`: each function that SOURCE names is jumped to, and each row of
HEADER's table is one of them."""

import fnmatch
import json
import re
import sys


def main():
    header, source = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
    table = re.search(r"kNophookJumpedTo\[\] = \{(.*?)\};", header, re.S)[1]
    patterns = re.findall(r'\{"([^"]+)", NOPHOOK_REASON_', table)
    names = re.findall(r"X\((\w+)\)", source[source.index("#define EACH") : source.index("#pragma")])
    names.remove("X") if "X" in names else None
    listed = {row["function"]: row for row in map(json.loads, sys.stdin)}
    wrong = [name for name in names if listed.get(name, {}).get("how") != "jumped_to" or not listed[name]["reason"]]
    unused = [pattern for pattern in patterns if not any(fnmatch.fnmatchcase(name, pattern) for name in names)]
    if wrong or unused or len(patterns) < 30:
        sys.exit(f"not jumped to: {wrong}; rows that no name shows: {unused}; {len(patterns)} rows")


main()
