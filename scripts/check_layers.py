#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proves that includes point down.

The folders of runtime/ and of tools/ are layers: poke/ may use sites/, never the other way
round. The folders of tools/ lie in streets, and the layers of one street need not follow each other. A comment
that says so is believed until the first hurry; this script reads every #include instead. It knows these rules:

  1. runtime/<layer>/ and tools/<layer>/ include their own layer, lower ones, and include/,
     nothing else of ours; what lies directly in these two folders is the top.
  2. tools/ and runtime/ meet only in include/; llvm-pass/ and recordmcount/ there and in prototypes/. Files directly in
     machine/ are below tools/, analysis/ and recordmcount/; a CPU's folder there may include the headers that it answers.
  3. `#if`s on the CPU stand only in runtime/arch/cpu.h and machine/own_cpu.h, where the architecture is selected, or
     below a folder that bears an architecture's name.
  4. `#if`s on the version of LLVM stand only in a compat.h.
  5. Registers, REGS_* and instructions in assembly are named in runtime/arch/ only.
  6. The rest of runtime/ uses those names of `Arch` that the concept in runtime/arch/arch.h requires,
     and all of them.
  7. tools/, analysis/, recordmcount/, llvm-pass/ and linker-script/ name no CPU's number, relocations, target, registers or
     calls of ptrace for them: those are in machine/CPU/, and machine/machine.h has their names.
  8. Files of the build name no CPU: a CPU's rows are machine/CPU/sources.cmake, runtime/arch/CPU/sources.cmake, and for
     cross builds BUILD_ROWS.

Usage: check_layers.py [ROOT]     prints file:line: problem; exit 1 if there is one
"""

import pathlib
import re
import sys

# From the bottom.
LAYERS = {
    "runtime": ["arch", "base", "sites", "poke", "calls", "buffer", "ops", "livepatch", "capture", "selection", "tracers", "events", "triggers", "tracefs"],
    "tools": ["foundation", "build/cc",
              "read/recording", "read/symbols", "read/decode", "read/steps", "read/select", "read/analyse", "show/print",
              "process/stop", "process/drain", "process/recorder", "show/live", "show/trace_dat", "show/ctf", "show/formats",
              "process/control", "process/mount", "process/launch", "show/top", "show/latency", "show/view",
              "process/attach", "patch"],
}
TOP = 100  # the top layer: init and the API in the runtime, main and the verbs in tools
WORLDS = ["runtime", "tools", "llvm-pass", "recordmcount", "analysis", "machine", "prototypes", "linker-script"]
# The folders that may include these headers, too.
SHARED = {"prototypes": ("llvm-pass", "recordmcount", "analysis"),
          "analysis": ("recordmcount",),
          "machine": ("tools", "analysis", "recordmcount", "llvm-pass")}
# The folders whose headers a CPU's folder in machine/ answers.
ANSWERED = ("tools", "analysis", "llvm-pass", "prototypes")
CPUS = ["x86_64", "aarch64"]
CPU_HEADERS = (pathlib.Path("runtime/arch/cpu.h"), pathlib.Path("machine/own_cpu.h"))
ARCH_HEADER = pathlib.Path("runtime/arch/arch.h")
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp", ".S", ".inc"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CPU_IF = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef)\b.*"
                    r"(__x86_64|__amd64|__i386|__aarch64|_M_X64|_M_ARM64|__arm__|__riscv)")
REGISTER = re.compile(r"\b(r[abcd]x|r[sd]i|r[sb]p|rip|r(8|9|1[0-5])|e[abcd]x|e[sd]i|e[sb]p|eip|[er]flags|orig_rax|"
                      r"[xyz]mm\d*|x(29|30)|greg_t|gregs|REGS?_[A-Z]\w*)\b")
# Names of a CPU that the worlds with their CPUs in machine/ do not have.
MACHINE_NAME = re.compile(r"\b(EM_(?:X86_64|AARCH64)|R_(?:X86_64|AARCH64)_\w+|Triple::(?:x86_64|aarch64)|isX86|isAArch64|"
                          r"LLVMInitialize(?:X86|AArch64)\w*|NT_(?:X86|ARM)_\w+|AUDIT_ARCH_(?:X86_64|AARCH64)|"
                          r"(?:x86_64|aarch64)-linux-gnu|(?:x86_64|aarch64)_\w+)\b|"
                          r'"(?:r[abcd]x|r[sd]i|r[sb]p|rip|xmm|x\{\})"')
MACHINE_USERS = ("tools", "analysis", "recordmcount", "llvm-pass", "linker-script")
# Files of the build that have a row for each CPU: names of processors, and the targets of cross builds.
BUILD_ROWS = ("cmake/nophook_target.cmake", "scripts/common.sh", "scripts/packages", "scripts/check_layers.py")
BUILD_FOLDERS = (*WORLDS, "cmake", "packaging", "scripts")
BUILD_CPU = re.compile(r"(?i)\b(x86|amd64|aarch64|arm64)")
# Directives of the assembler are no instructions, nor is an empty text, which orders memory accesses.
ASSEMBLY = re.compile(r'(?:\b|__)asm(?:__)?\s*(?:volatile)?\s*\(\s*"(?!"|\s*\.)')
ARCH_NAME = re.compile(r"\b(?:Arch::(?:Regs::)?|(?<!Arch::)Regs::|general\.)(\w+)")
REQUIRED_NAME = re.compile(r"(?:\bA::(?:Regs::)?|\bfixed\.|\bregs\.)(\w+)")
LLVM_VERSION = re.compile(r"\b(LLVM_VERSION|CLANG_VERSION|__clang_major__)")


def layer_of(path):
    """The rank of a file of the runtime or of tools; None if it is of neither."""
    world, *folders, file = path.parts
    if world not in LAYERS:
        return None
    if not folders or folders[0] in ("init", "api"):
        return TOP
    layers = LAYERS[world]
    around = ("/".join(folders[:count]) for count in range(1, len(folders) + 1))
    return next((layers.index(folder) for folder in around if folder in layers), -1)


def resolve(root, source, name):
    """The project's file that an include names, relative to root; None for a foreign one."""
    for folder in (source.parent, pathlib.Path("."), pathlib.Path("include"), *map(pathlib.Path, WORLDS)):
        target = (root / folder / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target.relative_to(root)
    return None


def is_of_a_cpu(path):
    """Whether the file is one of an architecture's own."""
    stems = [pathlib.PurePath(part).stem for part in path.parts]
    return any(stem.startswith(tuple(CPUS)) or stem.endswith(tuple(CPUS)) for stem in stems)


def check_include(path, target):
    """The reason why `path` must not include `target`; None if it may."""
    world, other = path.parts[0], target.parts[0]
    if other == "include":
        return None
    if world == "include":
        return f"a public header includes {target}"
    if other == "machine" and world != "machine" and is_of_a_cpu(target):
        return f"{world}/ includes {target}, which is one CPU's"
    is_answer = world == "machine" and is_of_a_cpu(path) and other in ANSWERED
    if other in WORLDS and other != world and world not in SHARED.get(other, ()) and not is_answer:
        return f"{world}/ includes {target}: they share include/ only"
    here, there = layer_of(path), layer_of(target)
    if here is not None and there is not None and there > here:
        return f"includes upwards: {target}"
    return None


def check_file(root, path):
    text = (root / path).read_text(errors="replace")
    if layer_of(path) == -1:
        yield 1, f"no layer is named {'/'.join(path.parts[1:-1])}"
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            target = resolve(root, path, match[2])
            if target and (problem := check_include(path, target)):
                yield number, problem
        elif path.parts[0] != "include" and CPU_IF.match(line) and not is_of_a_cpu(path) and path not in CPU_HEADERS:
            yield number, f"#if on the CPU outside of {CPU_HEADERS[path.parts[0] != 'runtime']} and the architecture's own headers"
        elif LLVM_VERSION.search(line) and path.name != "compat.h":
            yield number, "the version of LLVM outside of a compat.h"
        if path.parts[0] in MACHINE_USERS and (match := MACHINE_NAME.search(line.split("//")[0])):
            yield number, f"{match[0]} is a name of one CPU's: outside of machine/ ask Machine"
        if path.parts[0] == "runtime" and path.parts[1] != "arch":
            if match := REGISTER.search(line):
                yield number, f"{match[0]} is a name of one CPU's: outside of runtime/arch/ ask Arch"
    if path.parts[0] == "runtime" and path.parts[1] != "arch":
        for match in ASSEMBLY.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, "an instruction in assembly outside of runtime/arch/"


def check_contract(root, files):
    """Checks that the names of Arch in use are exactly those that its concept requires."""
    if ARCH_HEADER not in files:
        return
    required = {}
    for number, line in enumerate((root / ARCH_HEADER).read_text().splitlines(), 1):
        for name in REQUIRED_NAME.findall(line):
            required.setdefault(name, number)
    unused = dict(required)
    for path in files:
        if path.parts[0] != "runtime" or is_of_a_cpu(path):
            continue
        for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), 1):
            for name in ARCH_NAME.findall(line.split("//")[0]):
                unused.pop(name, None)
                if name not in required and name != "Regs":
                    yield path, number, f"Arch has {name}, but the concept in {ARCH_HEADER} does not require it"
    for name, number in unused.items():
        if name != "Regs":
            yield ARCH_HEADER, number, f"the concept requires {name}, which nobody uses"


def check_build(root):
    """The files of the build name no CPU, but for the rows."""
    files = [f for folder in BUILD_FOLDERS for f in sorted((root / folder).rglob("*")) if f.is_file()]
    for path in [root / "CMakeLists.txt", *files]:
        name = path.relative_to(root)
        is_of_build = name.name == "CMakeLists.txt" or name.suffix in (".cmake", ".in") or name.parts[0] == "scripts"
        if not is_of_build or not path.is_file() or str(name) in BUILD_ROWS or is_of_a_cpu(name) or "__pycache__" in name.parts:
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if match := BUILD_CPU.search(re.sub(r"(^|\s)#.*", "", line)):
                yield name, number, f"{match[0]} is a name of one CPU's: it belongs into the CPU's sources.cmake"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [f.relative_to(root) for world in [*WORLDS, "include"] if (root / world).is_dir()
             for f in sorted((root / world).rglob("*")) if f.suffix in SUFFIXES]
    if not files:
        sys.exit(f"check_layers: no sources below {root}")
    problems = [f"{path}:{number}: {text}" for path in files for number, text in check_file(root, path)]
    problems += [f"{path}:{number}: {text}" for path, number, text in [*check_contract(root, files), *check_build(root)]]
    print("\n".join(problems) if problems else f"check_layers: {len(files)} files, includes point down")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
