#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""limits.py ROOT: messages of the runtime that name a limit by a number that is typed.

Such a number stays when its constant changes. base/limit_text.h puts it in from the constant.
"""

import pathlib
import re
import sys

NUMBER = re.compile(r"(?<![\w.^/])\d\d+(?![\w.])")
# They are no limits of ours.
FINE = ("2^32", "0 to 100 percent", "Linux ")


def findings(root):
    for path in sorted((root / "runtime").rglob("*.cpp")):
        text = path.read_text()
        for call in re.finditer(r"\b(?:failure|reject|log_line)\((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*;", text):
            for literal in re.findall(r"\"((?:[^\"\\]|\\.)*)\"", call.group()):
                if NUMBER.search(literal) and not any(fine in literal for fine in FINE):
                    line = text.count("\n", 0, call.start()) + 1
                    yield f"{path.relative_to(root)}:{line}: '{literal}': take the number from its constant (base/limit_text.h)"


def main():
    found = list(findings(pathlib.Path(sys.argv[1])))
    print("\n".join(found + [f"{len(found)} typed limits"]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
