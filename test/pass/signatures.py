# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes IR with random function signatures: signatures.py SEED COUNT [aarch64]

Hand-picked signatures test only the cases that came to mind. These mix every kind of type, calling
convention, attribute and instruction set that decides where an argument goes; the same seed
gives the same file. Each argument is stored, so that none is dropped.
"""

import random
import sys

SCALARS = "i1 i8 i16 i32 i64 i128 i17 i200 half float double x86_fp80 fp128 ptr".split()
VECTORS = ["<1 x i8>", "<2 x float>", "<3 x i32>", "<4 x float>", "<2 x i64>", "<8 x float>",
           "<4 x i64>", "<16 x float>", "<64 x i8>", "<40 x i32>", "<2 x i1>", "<8 x i1>",
           "<16 x i1>", "<64 x i1>"]
AGGREGATES = ["{ i64, i64 }", "{ i64, double }", "[3 x i64]", "{ float, float, float }",
              "{ i128, i8 }", "{ x86_fp80, i32 }", "[0 x i8]", "{ <4 x float>, i8 }"]
COMMON = ["i64", "i32", "ptr", "double", "float"]
POINTERS = ["ptr byval([24 x i8]) align 8", "ptr byval([3 x i8])", "ptr byval([40 x i8]) align 32",
            "ptr byval([64 x i8]) align 64", "ptr byval(x86_fp80)", "ptr nest", "ptr swiftself",
            "ptr swiftasync"]
RETURNS = ["void", "i32", "i64", "i128", "double", "x86_fp80", "<4 x float>", "{ i64, i64 }",
           "{ i64, i64, i64 }", "[4 x i64]", "[5 x i64]", "{ double, double, double, double, double }",
           "{ x86_fp80, x86_fp80 }", "i200"]
CONVENTIONS = ["ccc"] * 6 + ["fastcc", "coldcc", "preserve_mostcc", "preserve_allcc",
                             "preserve_nonecc", "swiftcc", "x86_regcallcc", "cxx_fast_tlscc",
                             "x86_64_sysvcc"]
FEATURES = ["", "+avx2", "+avx512f,+avx512bw,+avx512vl", "+avx512f"]
TARGET = ('target triple = "x86_64-pc-linux-gnu"\n'
          'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-'
          'f80:128-n8:16:32:64-S128"')


def use_aarch64():
    """Switches to AArch64's own kinds of values, which x86-64 lacks: homogeneous aggregates, vectors of 64 bits, results in eight registers."""
    global TARGET, SCALARS, VECTORS, AGGREGATES, POINTERS, RETURNS, CONVENTIONS, FEATURES
    TARGET = ('target triple = "aarch64-unknown-linux-gnu"\n'
              'target datalayout = "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"')
    SCALARS = [t for t in SCALARS if t != "x86_fp80"] + ["bfloat"]
    VECTORS = [t for t in VECTORS if "i1>" not in t] + ["<8 x i8>", "<1 x double>", "<4 x half>"]
    AGGREGATES = [t for t in AGGREGATES if "x86" not in t] + [
        "[2 x i64]", "[2 x i64]", "[4 x float]", "[3 x double]", "[2 x fp128]", "[2 x half]", "[3 x bfloat]", "[2 x i128]",
        "[3 x <2 x float>]", "[4 x <4 x float>]", "[2 x i32]", "[2 x ptr]", "[9 x i64]"]
    POINTERS = [p for p in POINTERS if "x86" not in p and "align 64" not in p] + ["[2 x i64] alignstack(16)"]
    RETURNS = [r for r in RETURNS if "x86" not in r] + ["[8 x i64]", "[9 x i64]", "[4 x float]", "[8 x double]",
                                                        "[9 x double]", "half", "fp128", "[2 x <4 x float>]"]
    CONVENTIONS = [c for c in CONVENTIONS if "x86" not in c and c != "coldcc"] + ["aarch64_vector_pcs"]
    FEATURES = ["", "+fullfp16", "+sve"]


def signature(number, rng):
    convention = rng.choice(CONVENTIONS)
    count = rng.choice([0, 1, 2, 3, 5, 6, 6, 7, 7, 8, 9, 10, 12, 14, 18])
    pool = COMMON * 3 + SCALARS + VECTORS + AGGREGATES + POINTERS
    if convention == "preserve_nonecc" and "aarch64" in TARGET:
        pool = COMMON + SCALARS  # LLVM 22 crashes where a block is between registers and stack
    elif rng.random() < 0.4:
        pool = rng.sample(pool, 2) + COMMON
    types = [rng.choice(pool) for _ in range(count)]
    # Each of these may appear once, and preserve_none refuses Swift's.
    for once in ("nest", "swiftself", "swiftasync"):
        refused = convention == "preserve_nonecc" and once != "nest"
        found = [i for i, t in enumerate(types) if t == "ptr " + once]
        for i in found[0 if refused else 1:]:
            types[i] = "ptr"
    result = rng.choice(RETURNS)
    if types and result == "void" and rng.random() < 0.3:
        types[0] = "ptr sret([9 x i64])"
    arguments = ", ".join(f"{t} %a{i}" for i, t in enumerate(types))
    stores = "".join(f"  store volatile {t.split('(')[0].split(' ')[0] if t.startswith('ptr') else t.split(' align')[0]}"
                     f" %a{i}, ptr @sink\n" for i, t in enumerate(types))
    features = rng.choice(FEATURES)
    attribute = f' "target-features"="{features}"' if features else ""
    value = "ret void" if result == "void" else f"ret {result} zeroinitializer"
    return (f"define {convention} {result} @f{number}({arguments}){attribute} {{\n"
            f"{stores}  {value}\n}}\n")


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    if sys.argv[3:] == ["aarch64"]:
        use_aarch64()
    print(TARGET)
    print("@sink = external global i8")
    for number in range(count):
        print(signature(number, rng))


if __name__ == "__main__":
    main()
