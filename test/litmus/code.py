# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""code.py ROOT CLANG FILE...: the compiler makes the instructions of a litmus test from the statements that the test names.

A line `(* P0 STLR is runtime/x.h in runtime/y.cpp: STATEMENT *)` says which code the STLR of P0 stands for: what y.cpp compiles to at
that line of x.h has to be a STLR, or an atomic instruction that releases as well. If a thread is right with LDAPR, too, that counts for
LDAR. Each statement is also compiled with its order dropped, and then the instruction must be missing: so a change
that drops an order is found. Each instruction that orders others must name its code.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

import model

FLAGS = """--target=aarch64-linux-gnu -march=armv8.3-a -O2 -gline-tables-only -DNDEBUG -fPIC -std=c++20 -D_GNU_SOURCE -fno-builtin -w
-S -o - -I{temporary} -I{root} -I{root}/include""".split()
RUNTIME = """-nostdinc++ -fno-exceptions -fno-rtti -fno-threadsafe-statics -mgeneral-regs-only -I{temporary}/runtime -I{root}/runtime
-include {root}/include/nophook/notrace_file.h""".split()
TOOLS = ["-I{temporary}/tools", "-I{root}/tools"]
ROW = re.compile(r"^\(\* P(\d+) ([A-Z ]+) is (\S+)(?: in (\S+))?: (.*) \*\)$", re.MULTILINE)
ATOMIC = r"(?:cas|swp|ldadd|ldset|ldclr)a?l\b|stlxr"
# MEMBARRIER is system call 283, anywhere in the unit: its instructions are those of an inlined function.
CODE = {"STLR": rf"stlr|{ATOMIC}", "STLXR": ATOMIC, "LDAR": r"ldar", "LDAXR": r"(?:cas|swp|ldadd|ldset|ldclr)al?\b|ldaxr", "LDAPR": r"ldapr|ldar", "DMB ISH": r"dmb\s+ish$",
        "DMB ISHLD": r"dmb\s+ish(ld)?$", "MEMBARRIER": r"mov\s+w\d+, #283\b"}


class Row:
    def __init__(self, root, test, match):
        self.test = test
        self.thread, self.order, self.file, self.unit, self.statement = int(match[1]), *match.group(2, 3, 4, 5)
        self.unit = self.unit or self.file
        self.text = (root / self.file).read_text(encoding="utf-8")
        self.name = f"{test.name}: P{self.thread}: {self.order}: {self.file}: {self.statement}"

    def wanted(self):
        """A regular expression for the instruction."""
        if self.order == "LDAR":
            weaker = [[i.replace("LDAR ", "LDAPR ") for i in program] if thread == self.thread else program
                      for thread, program in enumerate(self.test.threads)]
            if not model.is_allowed(self.test, weaker):
                return CODE["LDAPR"]
        return CODE[self.order]

    def drop(self, text):
        """`text` without that order."""
        if "__atomic_thread_fence" in self.statement or self.order == "MEMBARRIER":
            weaker = "0"
        else:
            weaker = re.sub(r"__ATOMIC_(RELEASE|ACQUIRE|ACQ_REL|SEQ_CST)", "__ATOMIC_RELAXED", self.statement)
        # A failed exchange has an order of its own, on the next line.
        return re.sub(re.escape(self.statement) + r"(\s+__ATOMIC_ACQUIRE)?",
                      lambda found: weaker + (found[1] or "").replace("ACQUIRE", "RELAXED"), text)

    def instructions(self, assembly):
        """The instructions at the statement."""
        lines = {number for number, line in enumerate(self.text.splitlines(), 1) if self.statement in line}
        files = {int(number) for number, name in re.findall(r'^\s*\.file\s+(\d+).*?"([^"]*)"(?: md5.*)?$', assembly, re.MULTILINE)
                 if pathlib.Path(name).name == pathlib.Path(self.file).name}
        is_anywhere = self.order == "MEMBARRIER"
        is_here = is_anywhere
        for line in assembly.splitlines():
            if at := re.match(r"\s*\.loc\s+(\d+) (\d+)", line):
                is_here = is_anywhere or (int(at[1]) in files and int(at[2]) in lines)
            elif is_here and re.match(r"\s+[a-z]", line):
                yield line.strip()


def compiled(root, clang, unit, changed):
    """The assembly of `unit`, where `changed` files have other texts."""
    with tempfile.TemporaryDirectory() as temporary:
        for file, text in changed.items():
            pathlib.Path(temporary, file).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(temporary, file).write_text(text, encoding="utf-8")
        source = pathlib.Path(temporary if unit in changed else root, unit)
        flags = [*FLAGS, *(RUNTIME if unit.startswith("runtime/") else TOOLS), f"-I{(root / unit).parent}"]
        done = subprocess.run([clang, str(source), *(flag.format(root=root, temporary=temporary) for flag in flags)],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{unit}: {done.stderr[:2000]}")
    return done.stdout


def check(root, clang, unit, rows):
    """The errors in the statements of one unit."""
    if unit.endswith(".S"):
        return [f"{row.name}: no such instruction" for row in rows if not re.match(row.wanted(), row.statement)]
    dropped = {}
    for row in rows:
        dropped[row.file] = row.drop(dropped.get(row.file, row.text))
    as_it_is, weaker = (compiled(root, clang, unit, changed) for changed in ({}, dropped))
    def has(row, assembly):
        return any(re.match(row.wanted(), line) for line in row.instructions(assembly))
    return ([f"{row.name}: no such instruction" for row in rows if not has(row, as_it_is)] +
            [f"{row.name}: the instruction is there without the order, too" for row in rows if has(row, weaker)])


def main():
    root, clang, *paths = sys.argv[1:]
    root = pathlib.Path(root)
    rows, wrong = [], []
    for path in paths:
        test = model.Test(path)
        mine = [Row(root, test, match) for match in ROW.finditer(pathlib.Path(path).read_text(encoding="utf-8"))]
        wrong += [f"{row.name}: not there" for row in mine if row.statement not in row.text]
        for what, _ in model.weakened(test.threads):
            if not any(what.startswith(f"P{row.thread}: {row.order}") for row in mine):
                wrong.append(f"{test.name}: {what} names no code")
        rows += mine
    units = collections.defaultdict(list)
    for row in rows:
        units[row.unit].append(row)
    if not wrong:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = sum(pool.map(lambda unit: check(root, clang, *unit), units.items()), [])
    print("\n".join(wrong))
    print(f"{len(rows)} statements, {len(wrong)} wrong")
    return wrong != []


if __name__ == "__main__":
    sys.exit(main())
