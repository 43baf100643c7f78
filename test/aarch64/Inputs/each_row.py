# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""each_row.py PROGRAM NOPHOOK FILE [DIR]: what a table of calls says of each function is in its descriptor, and in a recording.

`PROGRAM rows` prints a line for each. `through ROW BYTES`: the function through<ROW, ...> is called through with a copy of BYTES
bytes of the stack. `NAME - -1`: the function has entries only. Each was called once, and its calls have ended.
"""

import collections
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import buffer


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def described(nophook, file):
    """By row: how it is called through, and with how many bytes."""
    for line in output(nophook, "list", "--json", "--names", "full", file):
        function = json.loads(line)
        row = re.search(r"\bthrough<(\w+)[,>]", function["function"])
        how = {"call_through": 0, "call_through_copy": function.get("stack_bytes"), "entry_only": -1}[function["how"]]
        yield (row[1] if row else function["function"]), how


def recorded(directory):
    counts = collections.defaultdict(collections.Counter)
    for process in buffer.read_all(directory):
        for ring in process.rings:
            for event in ring.events:
                name = process.maps.name(event.id)
                row = re.match(r"_Z7throughI(\d+)", name)
                counts[name[row.end():][:int(row[1])] if row else name][event.kind] += 1
    return counts


def main():
    program, nophook, file, *directories = sys.argv[1:]
    wanted = {}
    for line in output(program, "rows"):
        kind, row, stack_bytes = line.split()
        wanted[kind if row == "-" else row] = int(stack_bytes)
    found = dict(described(nophook, file))
    wrong = [f"{row}: {found.get(row)} bytes on the stack, not {stack_bytes}"
             for row, stack_bytes in wanted.items() if found.get(row) != stack_bytes]
    for directory in directories:
        counts = recorded(directory)
        for row, stack_bytes in wanted.items():
            expected = {"only": 1} if stack_bytes < 0 else {"entry": 1, "exit": 1}
            if counts[row] != expected:
                wrong.append(f"{row}: {dict(counts[row])}, not {expected}")
    sys.exit("\n".join(wrong) or (0 if len(wanted) > 60 else "the table has lost its rows"))


if __name__ == "__main__":
    main()
