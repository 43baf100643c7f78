# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py PRINT_CALLS PROGRAM [in-memory]: what the program says of its calls, and what is decoded.

Prints how many calls there were; fails with the first ones that differ. `in-memory`: a result may
be unknown, as those in memory are on AArch64; prints how many are.
"""

import re
import subprocess
import sys

print_calls, program = sys.argv[1:3]
found = subprocess.run([print_calls, program + ".truth", program], capture_output=True, text=True, check=False)
if found.returncode:
    sys.exit(found.stderr)
truth = open(program + ".truth").read().splitlines()
lines = found.stdout.splitlines()
unknown = 0
if sys.argv[3:] == ["in-memory"]:
    for i, (told, decoded) in enumerate(zip(truth, lines)):
        if decoded.endswith(") = <unknown place>"):
            unknown += 1
            truth[i] = re.sub(r"\) = [{\"].*$", ") = <unknown place>", told)  # no scalar is in memory
    print(f"{unknown} results in memory")
wrong = [(t, f) for t, f in zip(truth, lines) if t != f]
for told, decoded in wrong[:5]:
    print(f"truth:   {told}\ndecoded: {decoded}")
print(f"{len(truth)} calls, {len(wrong)} differ")
sys.exit(bool(wrong) or len(truth) != len(lines))
