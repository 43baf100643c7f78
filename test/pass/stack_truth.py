# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares descriptors with the back end: stack_truth.py INSTRUMENTED.ll ISEL.mir

INSTRUMENTED.ll  the module with the plugin's metadata
ISEL.mir         the same module after instruction selection (llc -stop-after=finalize-isel),
                 where each argument on the stack is a fixed object with offset and size

Fails if a descriptor promises fewer bytes than the back end uses. More is allowed, and
counted.
"""

import re
import sys

HOW = {0: "entry-only", 1: "through", 2: "copy"}


def descriptors(text):
    nodes = dict(re.findall(r"^!(\d+) = (!\{.*\})$", text, re.M))
    for name, node in re.findall(r"^define .*@(\w+)\(.*!pcsections !(\d+)", text, re.M):
        constants = re.search(r'!"__ftrace_args", !(\d+)', nodes[node])[1]
        call = int(re.search(r"i32 (\d+)", nodes[constants])[1])
        yield name, (HOW[call & 3], (call >> 6 & 0x3FF) * 8)


def stack_bytes_used(text):
    for function in text.split("\n---"):
        name = re.search(r"^name:\s+(\S+)", function, re.M)
        if not name:
            continue
        fixed = re.search(r"^fixedStack:(.*?)^\w", function, re.M | re.S)
        objects = re.findall(r"offset: (-?\d+), size: (\d+)", fixed[1]) if fixed else []
        ends = [int(offset) + int(size) for offset, size in objects if int(offset) >= 0]
        yield name[1], max(ends, default=0)


def main():
    told = dict(descriptors(open(sys.argv[1]).read()))
    used = dict(stack_bytes_used(open(sys.argv[2]).read()))
    assert told and told.keys() == used.keys(), (len(told), len(used))
    exact = above = with_stack = entry_only = 0
    for name, (how, stack_bytes) in told.items():
        with_stack += used[name] > 0
        if how == "entry-only":
            entry_only += 1
        elif stack_bytes < used[name] or stack_bytes % 8 or (how == "copy") != (stack_bytes > 0):
            sys.exit(f"{name}: {how} {stack_bytes}, the back end uses {used[name]}")
        elif stack_bytes == (used[name] + 7) // 8 * 8:
            exact += 1
        else:
            above += 1
    print(f"{len(told)} functions, {with_stack} with stack arguments: "
          f"{exact} exact, {above} above, {entry_only} entry only")


main()
