#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code that a function of a shared library can reach, by its disassembly.

    reach.py --objdump OBJDUMP [--leave FUNCTION]... LIBRARY ROOT...

Follows direct calls and jumps. Prints `reaches NAME` for each function, `libc NAME` for each
call through the PLT or GOT, `indirect NAME` for each function with a call through a register
or memory, and `vector NAME: INSTRUCTION` where a vector, x87 or MMX register is touched. A
function given by --leave is not looked into: `left NAME`.
"""

import argparse
import re
import subprocess

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^ *[0-9a-f]+:\s+(.*?)(\s*#.*)?$")
TARGET = re.compile(r"<([^+>]+)(\+0x[0-9a-f]+)?>")
VECTOR = re.compile(r"%[xyz]mm\d|%mm\d|%st|%k[0-7]\b|^(f(ld|st|ild|ist|add|mul)\S*|emms|x(save|rstor)\S*)\b")


def disassemble(objdump, library):
    """{function: [instruction]}; labels inside of assembly routines are functions of their own
    that the one before falls into."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", library], capture_output=True, text=True, check=True).stdout
    functions, order, name = {}, [], None
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            name = match[1]
            functions[name] = []
            order.append(name)
        elif name and (match := INSTRUCTION.match(line)):
            functions[name].append(match[1].strip())
    return functions, order


def main():
    parser = argparse.ArgumentParser(description="What can be reached from a function.")
    parser.add_argument("--objdump", required=True)
    parser.add_argument("--leave", action="append", default=[])
    parser.add_argument("library")
    parser.add_argument("roots", nargs="+")
    options = parser.parse_args()
    functions, order = disassemble(options.objdump, options.library)
    seen, todo, lines = set(), list(options.roots), set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.endswith("@plt"):
            lines.add(f"libc {name}")
            continue
        if name in options.leave:
            lines.add(f"left {name}")
            continue
        lines.add(f"reaches {name}")
        instructions = functions[name]
        for instruction in instructions:
            mnemonic, _, operands = instruction.replace("notrack", "").strip().partition("\t")
            if VECTOR.search(instruction):
                lines.add(f"vector {name}: {instruction}")
            if mnemonic.startswith(("call", "j")):
                if operands.lstrip().startswith("*"):
                    lines.add(f"indirect {name}")
                elif match := TARGET.search(operands):
                    todo.append(match[1])
        last = instructions[-1].split()[0] if instructions else ""
        following = order.index(name) + 1
        if last not in ("retq", "ret", "jmp", "ud2", "int3", "hlt", "notrack", "nop", "nopw", "nopl") and following < len(order):
            todo.append(order[following])  # falls through a label
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
