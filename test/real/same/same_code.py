# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are two objects the same code, once the sites are taken out of one of them?

    same_code.py OBJDUMP PLAIN.o TRACED.o

Comparing bytes says nothing: five more in front move everything behind, so a padding grows, a
jump finds its short form out of reach, and each offset is another. So each function becomes
a list of instructions without NOPs, and each address in it becomes what it means: "function,
n-th instruction". After that nothing may differ: not an operand, not an order, not a symbol.

One difference is meant: a call that the dynamic linker answers by its caller's address is no
tail call (llvm-pass/instrument.cpp). Functions that make one are counted separately, and named.
"""

import bisect
import re
import subprocess
import sys

SITE = re.compile(r"nopl\s+0x8\(%rax,%rax\)")
NOP = re.compile(r"(?:(?:data16|cs)\s+)*nop[wl]?\b|xchgw\s+%ax, %ax")
FUNCTION = re.compile(r"([0-9a-f]+) <(.+)>:")
LINE = re.compile(r"\s+([0-9a-f]+):\s+(.*)")
TARGET = re.compile(r"0x[0-9a-f]+ <[^>]*>")
# A memory operand that has no relocation; what is in front of %rip then depends on its place.
OWN_MEMORY = re.compile(r"-?(?:0x[0-9a-f]+)?\(%rip\)(.*?)\s+# (0x[0-9a-f]+) <.*")
LOADER_CALLS = {"dlsym", "dlvsym", "dlopen", "dlmopen", "dlclose", "dladdr", "dladdr1"}


class Section:
    """Instructions by address: an address is a place in the instruction list of a function."""

    def __init__(self):
        self.starts = []        # addresses of functions, ascending
        self.names = []         # and their names
        self.code = []          # and their instructions: [address, text, relocations]

    def place(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0:
            return f"?{address:#x}"
        index = bisect.bisect_left(self.code[i], [address])
        return f"<{self.names[i]}#{index}>"


def read(objdump, path):
    """Sections by name, and the number of sites."""
    command = [objdump, "-dr", "--no-show-raw-insn", path]
    sections, sites, fresh, last = {}, 0, False, None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if match := LINE.match(line):
                address, text = int(match[1], 16), match[2]
                if text.startswith("R_"):
                    last[2].append((address, *text.split(None, 1)))
                    continue
                if last:
                    last[3] = address
                last = [address, text, [], None]
                if fresh and SITE.match(text):
                    sites += 1
                elif not NOP.match(text):
                    section.code[-1].append(last)
                fresh = fresh and text.startswith("endbr64")
            elif match := FUNCTION.match(line):
                section.starts.append(int(match[1], 16))
                section.names.append(match[2])
                section.code.append([])
                fresh = True
            elif line.startswith("Disassembly of section "):
                section = sections.setdefault(line.split()[-1].rstrip(":"), Section())
                last = None
    if process.returncode:
        sys.exit(f"{path}: {objdump} ended with status {process.returncode}")
    return sections, sites


def symbolic(sections, section, instruction):
    """One instruction as text that is the same wherever it lies."""
    address, text, relocations, following = instruction
    if not relocations:
        text = OWN_MEMORY.sub(lambda m: f"{section.place(int(m[2], 16))}(%rip){m[1]}", text)
        return TARGET.sub(lambda m: section.place(int(m[0].split()[0], 16)), text)
    text = TARGET.sub("REL", text.partition("#")[0]).strip()
    for place, kind, target in relocations:
        name, sign, addend = re.fullmatch(r"(.*?)(?:([-+])(0x[0-9a-f]+))?", target.strip()).groups()
        if name in sections:  # by its section: a function or a label that nobody else sees
            value = int((sign or "+") + (addend or "0"), 16)
            if "PC" in kind or "PLT" in kind:  # from the next instruction; a section ends with its field
                value += (following or place + 4) - place
            target = sections[name].place(value)
        text += f" {kind} {target}"
    return text


def functions(sections):
    """(section, name, text of all instructions, offset from a multiple of 16)"""
    for name, section in sections.items():
        for i, code in enumerate(section.code):
            yield name, section.names[i], [symbolic(sections, section, one) for one in code], section.starts[i] % 16


def tail_calls_loader(code):
    return any(line.startswith("jmp") and line.split()[-1].split("-")[0] in LOADER_CALLS for line in code)


def compare(objdump, plain_path, traced_path):
    """Returns (functions, instructions, sites, moved, [functions of the meant difference])."""
    plain_sections, foreign = read(objdump, plain_path)
    traced_sections, sites = read(objdump, traced_path)
    plain, traced = list(functions(plain_sections)), list(functions(traced_sections))
    assert foreign == 0, f"{plain_path} has sites"
    if [f[:2] for f in plain] != [f[:2] for f in traced]:
        sys.exit(f"{traced_path}: not the same functions: {set(f[:2] for f in plain) ^ set(f[:2] for f in traced)}")
    meant, moved, count = [], 0, 0
    for (_, name, ours, start), (_, _, theirs, other_start) in zip(plain, traced):
        moved += start != other_start
        count += len(ours)
        if ours == theirs:
            continue
        if tail_calls_loader(ours) and not tail_calls_loader(theirs):
            meant.append(name)
            continue
        at = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), min(len(ours), len(theirs)))
        sys.exit(f"{traced_path}: {name} differs at instruction {at} of {len(ours)} and {len(theirs)}:\n"
                 f"  without  {ours[at:at + 3]}\n  with     {theirs[at:at + 3]}")
    return len(plain), count, sites, moved, meant


if __name__ == "__main__":
    total = compare(*sys.argv[1:])
    print("{} functions, {} instructions, {} sites, {} at another alignment, meant differences: {}".format(*total))
