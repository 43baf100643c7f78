# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py PRINT_CALLS PROGRAM: what the program says of its calls, and what is decoded.

Prints how many calls there were; fails with the first ones that differ.
"""

import subprocess
import sys

print_calls, program = sys.argv[1:]
found = subprocess.run([print_calls, program + ".truth", program], capture_output=True, text=True, check=False)
if found.returncode:
    sys.exit(found.stderr)
truth = open(program + ".truth").read().splitlines()
lines = found.stdout.splitlines()
wrong = [(t, f) for t, f in zip(truth, lines) if t != f]
for told, decoded in wrong[:5]:
    print(f"truth:   {told}\ndecoded: {decoded}")
print(f"{len(truth)} calls, {len(wrong)} differ")
sys.exit(bool(wrong) or len(truth) != len(lines))
