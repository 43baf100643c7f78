# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes LLVM IR as text, at random: what pass_fuzz.py feeds the compiler plugin.

Random bytes end in the parser, and random instructions do not interest a pass that reads
signatures, attributes and metadata. So the mutations aim at those: another convention, linkage,
attribute or argument on a function; metadata that looks like ours and is not; aliases, ifuncs,
personalities, prologues; other targets and module flags; functions of random signatures.
Most results are valid; what is not is for the verifier to refuse.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pass"))
import signatures  # noqa: E402

DEFINE = re.compile(r"^define ([^@\n]*)@([\w.$]+|\"[^\"\n]+\")\(([^\n]*)\)([^{\n]*)\{", re.M)
CONVENTIONS = ["ccc", "fastcc", "coldcc", "ghccc", "tailcc", "swiftcc", "swifttailcc", "preserve_mostcc", "preserve_allcc",
               "preserve_nonecc", "x86_intrcc", "x86_regcallcc", "x86_vectorcallcc", "win64cc", "anyregcc", "cc 11", "cc 1023",
               "cfguard_checkcc", "aarch64_vector_pcs", "intel_ocl_bicc", "cc 92"]
LINKAGES = ["private", "internal", "available_externally", "linkonce", "weak", "linkonce_odr", "weak_odr", "external", "extern_weak"]
ATTRIBUTES = ["naked", "noinline", "optnone noinline", "returns_twice", "noreturn", "nounwind", "uwtable", "cold", "hot", "minsize optsize",
              "sanitize_address", "sanitize_thread", "safestack", "shadowcallstack", "ssp", "sspstrong", "jumptable", "nocf_check",
              "presplitcoroutine", "strictfp", "alignstack(64)", "align 1", "align 4096", "section \"odd\"", "section \".init.text\"",
              "gc \"statepoint-example\"", "gc \"shadow-stack\"", "prefix i64 7", "prologue i8 -112", "unnamed_addr",
              "\"patchable-function-entry\"=\"5\"", "\"patchable-function-entry\"=\"junk\"", "\"patchable-function-entry\"",
              "\"patchable-function-prefix\"=\"3\"", "\"patchable-function-entry-section\"=\"other\"", "\"nophook\"=\"skip\"",
              "\"llvm.assume\"=\"ext_nophook_trace\"", "\"llvm.assume\"=\",,,\"", "\"function-instrument\"=\"xray-never\"",
              "\"function-instrument\"=\"xray-always\"", "\"fentry-call\"=\"true\"", "\"instrument-function-entry-inlined\"=\"mcount\"",
              "\"split-stack\"", "\"probe-stack\"=\"inline-asm\"", "\"frame-pointer\"=\"all\"", "\"target-features\"=\"-sse,-sse2\"",
              "\"target-features\"=\"+avx512f\"", "\"target-features\"=\"-x87\"", "\"target-cpu\"=\"znver4\"", "\"target-cpu\"=\"i386\"",
              "\"branch-target-enforcement\"", "\"thunk\"", "\"disable-tail-calls\"=\"true\"", "!pcsections !900", "!pcsections !901",
              "!dbg !902", "!prof !903", "!kcfi_type !904", "!unknown_kind !900"]
ARGUMENTS = signatures.SCALARS + signatures.VECTORS + signatures.AGGREGATES + signatures.POINTERS + [
    "ptr inalloca(i64)", "ptr preallocated(i64)", "ptr swifterror", "ptr byref({ i32, i8 })", "i8 zeroext", "i16 signext", "i32 inreg",
    "ptr addrspace(256)", "<vscale x 4 x i32>", "{}", "[0 x ptr]", "[300 x i64]", "metadata", "i1 immarg", "token", "i8388607", "ppc_fp128",
    "bfloat", "ptr byval([5000 x i8])", "ptr sret([9 x i64])", "x86_amx", "target(\"spirv.Image\")", "<3 x ptr>", "ptr alignstack(128)"]
MODULE = ['target triple = "aarch64-unknown-linux-gnu"', 'target triple = "x86_64-unknown-linux-gnux32"', 'target triple = "i386-linux-gnu"',
          'target triple = "x86_64-pc-windows-msvc"', 'target triple = "x86_64-apple-macosx"', 'target triple = "riscv64-linux-gnu"',
          'target triple = "nonsense-nowhere-never"', 'target triple = ""', 'target triple = "aarch64_be-linux-gnu"',
          '@llvm.used = appending global [1 x ptr] [ptr @NAME], section "llvm.metadata"', '@taken = global ptr @NAME',
          '@alias = alias i8, ptr @NAME', '@hidden = hidden alias i8, getelementptr (i8, ptr @NAME, i64 1)', '@pick = ifunc void (), ptr @NAME',
          '@alias2 = internal alias i8, ptr @alias3\n@alias3 = weak alias i8, ptr @NAME',
          '@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @NAME, ptr null }]',
          'declare ptr @dlsym(ptr, ptr)', '@dlsym = global i32 3', '@dlopen = alias i8, ptr @NAME', 'define ptr @dlclose(ptr %p) { ret ptr %p }',
          '@__ftrace_args = global i32 1, section "__ftrace_args"', '@mcount = global i64 1, section "__mcount_loc"',
          '@rel = global i32 1, section "__mcount_rel"', 'module asm ".section __mcount_loc,\\22a\\22"', '@__nophook_type.ef5bd5c271502718 = global i8 0',
          'define void @__nophook_proto.bd017f0d438398c2() { ret void }', '$NAME = comdat any', '@nophook.str = constant [2 x i8] c"a\\00"']
FLAGS = ['!{i32 1, !"ThinLTO", i32 0}', '!{i32 1, !"EnableSplitLTOUnit", i32 1}', '!{i32 1, !"Code Model", i32 4}', '!{i32 8, !"PIC Level", i32 2}',
         '!{i32 4, !"cf-protection-branch", i32 1}', '!{i32 8, !"branch-target-enforcement", i32 1}', '!{i32 4, !"kcfi", i32 1}', '!{i32 7, !"uwtable", i32 2}']
METADATA = """
!900 = !{!"__ftrace_args", !905}
!901 = !{!"__ftrace_args", !"", !905, !"other!C", !906}
!902 = distinct !DISubprogram(name: "f", scope: !907, file: !907, line: 1, type: !908, spFlags: DISPFlagDefinition, unit: !909)
!903 = !{!"function_entry_count", i64 -1}
!904 = !{i32 7}
!905 = !{i32 -1, i32 -1, i64 3}
!906 = !{}
!907 = !DIFile(filename: "odd\\22name.c", directory: "")
!908 = !DISubroutineType(types: !910)
!909 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_20, file: !907, emissionKind: FullDebug)
!910 = !{null, !911, null}
!911 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !912, size: 64)
!912 = !DICompositeType(tag: DW_TAG_structure_type, name: "s", elements: !913, identifier: "s")
!913 = !{!914}
!914 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !912, baseType: !911)
"""


def on_a_function(change):
    """A mutation of one definition: change(rng, [before, name, arguments, after])."""
    def mutate(rng, text):
        found = list(DEFINE.finditer(text))
        if not found:
            return text
        at = rng.choice(found)
        parts = list(at.groups())
        change(rng, parts)
        before, name, arguments, after = parts
        return f"{text[:at.start()]}define {before}@{name}({arguments}){after}{{{text[at.end():]}"
    return mutate


@on_a_function
def another_convention(rng, parts):
    words = [word for word in parts[0].split() if not re.fullmatch(r"\w+cc|cc", word)]
    parts[0] = " ".join([rng.choice(CONVENTIONS), *words]) + " " if len(words) < 3 else parts[0]


@on_a_function
def another_linkage(rng, parts):
    known = set(LINKAGES) | {"dso_local", "hidden", "protected"}
    rest = [word for word in parts[0].split(" ") if word not in known]
    parts[0] = " ".join([rng.choice(LINKAGES), rng.choice(["", "", "hidden", "protected", "dllexport"]), *rest])


@on_a_function
def another_attribute(rng, parts):
    attribute = rng.choice(ATTRIBUTES)
    parts[3] = f"{parts[3].rstrip()} {attribute} " if attribute.startswith("!") else f" {attribute}{parts[3]}"


@on_a_function
def another_argument(rng, parts):
    added = ", ".join(f"{rng.choice(ARGUMENTS)} %fuzz{i}" for i in range(rng.choice([1, 1, 2, 7, 15])))
    plain, dots = re.subn(r",?\s*\.\.\.$", "", parts[2])
    parts[2] = ", ".join(p for p in [plain, added, "..." if dots or rng.random() < 0.1 else ""] if p)


@on_a_function
def without_arguments(_, parts):
    parts[2] = ""


def a_module_line(rng, text):
    names = [match[2] for match in DEFINE.finditer(text)]
    line = rng.choice(MODULE).replace("NAME", rng.choice(names) if names else "nobody")
    if line.startswith("target"):
        text = re.sub(r"^target [^\n]*\n", "", text, flags=re.M)
    return line + "\n" + text


def a_module_flag(rng, text):
    if "!llvm.module.flags" in text:
        return text
    return f"{text}\n!llvm.module.flags = !{{!990}}\n!990 = {rng.choice(FLAGS)}\n"


def random_signatures(rng, text):
    added = "".join(signatures.signature(rng.randrange(10**6, 10**7), rng) for _ in range(rng.randrange(1, 6)))
    sink = "" if "@sink" in text else "@sink = external global i8\n"
    return text + "\n" + sink + added


def without_a_line(rng, text):
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def another_number(rng, text):
    found = list(re.finditer(r"\bi(8|16|32|64) -?\d+", text))
    if not found:
        return text
    at = rng.choice(found)
    return f"{text[:at.start()]}i{at[1]} {rng.choice([0, 1, -1, 127, 255])}{text[at.end():]}"


def without_debug(_, text):
    return re.sub(r",? !dbg !\d+", "", text)


MUTATIONS = [another_convention, another_linkage, another_attribute, another_attribute, another_attribute, another_argument,
             another_argument, without_arguments, a_module_line, a_module_flag, random_signatures, without_a_line, another_number,
             without_debug]


def mutate(rng, text):
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        text = rng.choice(MUTATIONS)(rng, text)
    if re.search(r"![9]0[0-4]\b", text) and "!905 =" not in text:
        text += METADATA
    return text
