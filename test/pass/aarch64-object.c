// AArch64 objects: the site is behind `bti c` and in front of `paciasp`, where the link register is still plain.
// RUN: %clang --target=aarch64-linux-gnu %instrument -O2 -mbranch-protection=standard -c %s -o %t.o
// RUN: %objdump -dr --no-show-raw-insn %t.o | FileCheck %s --check-prefixes=BTI,PAC
// RUN: %readelf -r %t.o | FileCheck %s --check-prefix=ENTRY -DTABLE=%table
// RUN: %clang --target=aarch64-linux-gnu %instrument -O0 -mbranch-protection=bti -c %s -o %t.o
// RUN: %objdump -dr --no-show-raw-insn %t.o | FileCheck %s --check-prefix=BTI
// RUN: %clang --target=aarch64-linux-gnu %instrument -O2 -mbranch-protection=pac-ret+leaf -c %s -o %t.o
// RUN: %objdump -dr --no-show-raw-insn %t.o | FileCheck %s --check-prefixes=PLAIN,PAC
// RUN: %clang --target=aarch64-linux-gnu %instrument -Oz -c %s -o %t.o
// RUN: %objdump -dr --no-show-raw-insn %t.o | FileCheck %s --check-prefix=PLAIN
// BTI-LABEL: <work>:
// BTI-NEXT: 0: bti c
// BTI-NEXT: 4: nop
// BTI-NOT:  {{nop$}}
// PLAIN-LABEL: <work>:
// PLAIN-NEXT: 0: nop
// PLAIN-NOT:  {{nop$}}
// PAC: paciasp
// ENTRY: .rela[[TABLE]]
// ENTRY: R_AARCH64_ABS64 {{.*}} .text + 4
int other(int x);
int work(int x) { return other(x) * 3; }
