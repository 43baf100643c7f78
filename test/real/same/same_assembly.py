# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are two assembly files the same, once the sites and tables are taken out of one of them?

    same_assembly.py PLAIN.s TRACED.s

Compares what same_code.py cannot see in an object, because offsets are numbers there: data,
jump tables, exception tables, unwind information, alignments, the attributes of symbols and
sections, and, if both were compiled with -g, the source line of every instruction. The debug
sections themselves are left out: where an address range begins behind the site instead of
at the function, DWARF says so in other forms.

A label of the compiler's is replaced by where it stands: "function, n-th instruction". The one
difference that is meant is recognized as in same_code.py.
"""

import re
import sys

from same_code import LOADER_CALLS

SITE = re.compile(r"\tnopl\t8\(%rax,%rax\)")
OURS = re.compile(r"\t\.section\t(__ftrace_\w+|__mcount_\w+|\.nophook\.\w+|__patchable_function_entries|\.debug_nophook_\w+)[,\s]")
OUR_SYMBOL = re.compile(r"\t\.\w+[\t ](\.Lnophook\.|__nophook_)")
SECTION = re.compile(r"\t\.(section\t.*|text|data|bss)$")
# They belong to a symbol, not to the section that they happen to stand in.
ATTRIBUTE = re.compile(r"\t\.(type|size|globl|hidden|protected|internal|weak|local|comm|set)\t")
LABEL = re.compile(r"(\.L(?:tmp|func_begin|func_end|patch|BB|pcsection_base|exception|cst_begin|cst_end|ttbase|ttbaseref|sec_end|jump_table)[0-9_]*):")
REFERENCE = re.compile(r"\.L(?:tmp|func_begin|func_end|patch|BB|exception|cst_begin|cst_end|ttbase|ttbaseref|sec_end|jump_table)[0-9_]*\b")
TAIL_CALL = re.compile(r"\tjmp\t(\w+)(?:@PLT)?$")
LOC = re.compile(r"\t\.loc\t(\d+ \d+ \d+)")


def lines_of(path):
    """(line, source line, function) of all sections but ours and the debugger's; sites."""
    lines, labels, sites = [], {}, 0
    current, skipped, name, index, source = "\t.text", False, "", 0, ""
    for line in open(path, encoding="utf-8", errors="surrogateescape"):
        line = re.sub(r"\s+# .*|\s+$", "", line) if '"' not in line else line.rstrip()
        if not line or line.lstrip().startswith("#"):
            continue
        if SECTION.match(line):
            skipped = bool(OURS.match(line)) or ".debug_" in line
            # Sections are entered and left around ours: only a real change counts.
            if not skipped and line != current:
                current = line
                lines.append((line, "", name))
            continue
        if skipped and not ATTRIBUTE.match(line) or OUR_SYMBOL.match(line):
            continue
        if match := LABEL.match(line):
            labels[match[1]] = f"<{name}#{index}>"
        elif match := LOC.match(line):
            source = match[1]
        elif line.startswith("\t.loc") or line.startswith("\t.file"):
            continue
        elif SITE.match(line):
            sites += 1
        elif line.startswith("\t."):
            lines.append((line, "", name))
        elif line.startswith("\t"):
            lines.append((line, source, name))
            index += 1
        else:
            name, index = line.rstrip(":"), 0
            lines.append((line, "", name))
    return [(REFERENCE.sub(lambda m: labels.get(m[0], m[0]), text), *rest) for text, *rest in lines], sites


def loader_tail_calls(lines):
    return {name for text, _, name in lines if (match := TAIL_CALL.match(text)) and match[1] in LOADER_CALLS}


def compare(plain_path, traced_path):
    """Returns (lines, sites, [functions of the meant difference]), or ends the program."""
    plain, foreign = lines_of(plain_path)
    traced, sites = lines_of(traced_path)
    assert foreign == 0, f"{plain_path} has sites"
    meant = loader_tail_calls(plain) - loader_tail_calls(traced)
    plain, traced = ([line for line in lines if line[2] not in meant] for lines in (plain, traced))
    if plain == traced:
        return len(plain), sites, sorted(meant)
    at = next((i for i, pair in enumerate(zip(plain, traced)) if pair[0] != pair[1]), min(len(plain), len(traced)))
    sys.exit(f"{traced_path}: differs at line {at} of {len(plain)} and {len(traced)}:\n"
             f"  without  {plain[max(0, at - 1):at + 2]}\n  with     {traced[max(0, at - 1):at + 2]}")


if __name__ == "__main__":
    print("{} lines, {} sites, meant differences: {}".format(*compare(*sys.argv[1:])))
