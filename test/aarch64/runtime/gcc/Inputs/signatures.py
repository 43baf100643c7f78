# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""signatures.py SEED COUNT: a C program whose functions take and return values of random types.

Each function prints a sum over all bytes of its arguments, and main() prints one over the result. No type has padding, so
the sums are the same in each run. AAPCS64 passes these types in each of its ways.
"""

import random
import sys

TYPES = {
    "char": "", "short": "", "int": "", "long": "", "__int128": "", "float": "", "double": "", "long double": "",
    "struct One": "int a;", "struct Two": "long a, b;", "struct Large": "long a[3];", "struct Wide": "__int128 a;",
    "struct Floats": "float a[3];", "struct Doubles": "double a[4];", "struct Mixed": "double a; long b;",
    "struct Quads": "long double a[2];", "struct Bytes": "char a[7];", "struct Empty": "",
    "vector8": "float __attribute__((vector_size(8)))", "vector16": "int __attribute__((vector_size(16)))",
    "struct Vectors": "vector16 a[3];",
}
rng = random.Random(int(sys.argv[1]))

print('#include "program.h"')
for name, body in TYPES.items():
    if name.startswith("vector"):
        print(f"typedef {body} {name};")
    elif name.startswith("struct"):
        print(f"{name} {{ {body} }};")
print("""
static unsigned long sum_of(unsigned long sum, const void *value, unsigned long bytes) {
  for (unsigned long i = 0; i < bytes; i++)
    sum = (sum ^ ((const unsigned char *)value)[i]) * 0x100000001b3;
  return sum;
}
static unsigned char values[4096];
""")
calls = []
for number in range(int(sys.argv[2])):
    result = rng.choice(list(TYPES))
    types = [rng.choice(list(TYPES)) for _ in range(rng.choice([1, 3, 6, 10, 14]))]
    parameters = ", ".join(f"{t} p{i}" for i, t in enumerate(types))
    sums = " ".join(f"sum = sum_of(sum, &p{i}, sizeof p{i});" for i in range(len(types)))
    storage = rng.choice(["static ", ""])
    print(f"NOINLINE {storage}{result} f{number}({parameters}) {{ unsigned long sum = {number}; {sums} {result} r; "
          f'__builtin_memcpy(&r, values + sum % 512, sizeof r); printf("f{number} %lx\\n", sum); return r; }}')
    places = [rng.randrange(512) for _ in types]
    loads = " ".join(f"{t} a{i}; __builtin_memcpy(&a{i}, values + {at}, sizeof a{i});"
                     for i, (t, at) in enumerate(zip(types, places)))
    arguments = ", ".join(f"a{i}" for i in range(len(types)))
    calls.append(f'{{ {loads} {result} r = f{number}({arguments}); printf("%lx\\n", sum_of(0, &r, sizeof r)); }}')
print("int main(void) {\n  for (unsigned i = 0; i < sizeof values; i++)\n    values[i] = i * 37 % 251;\n  "
      + "\n  ".join(calls) + "\n}")
