# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_lists.py NOPHOOK ONE OTHER: the prototypes of numbered functions (f12, m12) in two programs.

Names, types, kinds and sizes must be the same. Places may differ, as compilers do in corners of the ABI.
"""

import json
import re
import subprocess
import sys
from itertools import zip_longest


def prototypes(nophook, program):
    out = subprocess.run([nophook, "list", "--args", "--json", program], capture_output=True, text=True, check=True)
    found = {}
    for line in out.stdout.splitlines():
        function = json.loads(line)
        name = re.search(r"\b([fm]\d+)\b", function["function"].split("(")[0])
        if name:
            values = [function.get("result"), *function.get("parameters", [])]
            found[name[1]] = [{key: value.get(key) for key in ("name", "type", "kind", "bytes")}
                              for value in values if value]
    return found


nophook, first, second = sys.argv[1:]
a, b = prototypes(nophook, first), prototypes(nophook, second)
wrong = [name for name in sorted({*a, *b}) if a.get(name) != b.get(name)]
for name in wrong[:5]:
    for one, other in zip_longest(a.get(name, []), b.get(name, [])):
        if one != other:
            print(f"{name}: {one} is {other}")
print(f"{len(a)} functions, {len(wrong)} differ")
sys.exit(bool(wrong))
