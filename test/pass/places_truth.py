# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the places of arguments with the back end's: places_truth.py INSTRUMENTED.ll ISEL.mir

INSTRUMENTED.ll  the module with the plugin's prototypes
ISEL.mir         the same module after instruction selection (llc -stop-after=finalize-isel):
                 live-in registers, and fixed stack objects with their offsets

Every argument of these modules is used, so the sets must be equal, but for the hidden pointer of
a result that does not fit its registers. A function with an unknown place is only counted. On
AArch64 the place of a result in memory is not known, and its pointer is in x8 (preserve_none: x20).
"""

import re
import sys

GENERAL = {name: number for number, names in enumerate(
    ["al ax eax rax", "dl dx edx rdx", "cl cx ecx rcx", "bl bx ebx rbx", "sil si esi rsi",
     "dil di edi rdi", "bpl bp ebp rbp", "spl sp esp rsp"] +
    [f"r{n}b r{n}w r{n}d r{n}" for n in range(8, 16)]) for name in names.split()}
GENERAL |= {f"{letter}{n}": n for n in range(31) for letter in "wx"}  # AArch64's
UNKNOWN, NOWHERE, GENERAL_PLACE, SSE, STACK, AT_GENERAL, PIECES = 0, 1, 3, 4, 6, 7, 9


def prototypes(text):
    """Half an id -> (result's place, all places of arguments)"""
    for words in re.findall(r"^@__nophook_proto\.\w+ = .* constant \[\d+ x i32\] \[(.*?)\], section", text, re.M):
        value = [int(w) & 0xFFFFFFFF if w else 0
                 for w in re.findall(r"i32 (?:(-?\d+)|trunc \(i64 sub \(.*?\) to i64\)\) to i32\))", words)]
        parameters, pieces = value[4] & 0xFFFF, value[4] >> 16
        assert len(value) == 7 + 3 * parameters + 2 * pieces, words
        places = [value[9 + 3 * i] for i in range(parameters)]
        of_result = (value[6] >> 8 & 255) if value[6] & 15 == PIECES else 0
        behind = [value[7 + 3 * parameters + 2 * i] for i in range(pieces)]
        yield value[1], (value[6], [p for p in places if p & 15 != PIECES] + behind[of_result:])


def functions(text):
    nodes = dict(re.findall(r"^!(\d+) = (!\{.*\})$", text, re.M))
    for name, node in re.findall(r"^define .*@(\w+)\(.*!pcsections !(\d+)", text, re.M):
        constants = re.search(r'!"__ftrace_args", !(\d+)', nodes[node])[1]
        yield name, int(re.findall(r"i32 (-?\d+)", nodes[constants])[1]) & 0xFFFFFFFF


def used(text):
    for function in text.split("\n---"):
        name = re.search(r"^name:\s+(\S+)", function, re.M)
        if not name:
            continue
        places = set()
        for register in re.findall(r"- \{ reg: '\$(\w+)'", function.split("\nbody:")[0]):
            vector = re.fullmatch(r"(?:[xyz]mm|[bhsdq])(\d+)", register)
            places.add((SSE, int(vector[1])) if vector else (GENERAL_PLACE, GENERAL.get(register, register)))
        fixed = re.search(r"^fixedStack:(.*?)^\w", function, re.M | re.S)
        offsets = re.findall(r"offset: (-?\d+), size: (\d+)", fixed[1]) if fixed else []
        yield name[1], places, {int(o) for o, size in offsets if int(o) >= 0 and int(size) > 0}


def main():
    text = open(sys.argv[1]).read()
    is_aarch64 = 'target triple = "aarch64' in text
    told, ids = dict(prototypes(text)), dict(functions(text))
    exact = unknown = 0
    for name, registers, stack in used(open(sys.argv[2]).read()):
        result, places = told[ids[name]]
        in_memory = is_aarch64 and result & 15 == UNKNOWN
        if any(p & 15 == UNKNOWN for p in (places if in_memory else [result, *places])):
            unknown += 1
            continue
        wanted = {(GENERAL_PLACE if p & 15 == AT_GENERAL else p & 15, p >> 8 & 255) for p in places
                  if p & 15 in (GENERAL_PLACE, SSE, AT_GENERAL)}
        offsets = {p >> 16 for p in places if p & 15 == STACK}
        hidden = {(GENERAL_PLACE, 8), (GENERAL_PLACE, 20)} if in_memory else {(GENERAL_PLACE, 5)} if result & 15 == AT_GENERAL else set()
        if registers - wanted - hidden or wanted - registers or offsets != stack:
            sys.exit(f"{name}: told {sorted(wanted)} {sorted(offsets)}, is {sorted(registers)} {sorted(stack)}")
        exact += 1
    assert exact + unknown == len(ids)
    print(f"{exact} functions as told, {unknown} with a place that is not known")


main()
