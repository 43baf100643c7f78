// AArch64: of gcc's two NOPs the first is the site, behind `bti c` and in front of `paciasp`, and neither is changed.
// REQUIRES: aarch64-cross
// RUN: aarch64-linux-gnu-gcc -O2 -g -fpatchable-function-entry=2 -mbranch-protection=standard -c %s -o %t.o
// RUN: %objdump -d --no-show-raw-insn %t.o > %t.before
// RUN: %recordmcount --verify --list %t.o | FileCheck %s
// RUN: %objdump -d --no-show-raw-insn %t.o > %t.after && diff %t.before %t.after && FileCheck %s --check-prefix=CODE --input-file %t.after
// RUN: aarch64-linux-gnu-gcc -O2 -fpatchable-function-entry=4,2 -c %s -o %t.front.o && %recordmcount --verify --list %t.front.o | FileCheck %s --check-prefix=FRONT
// CHECK: .text+0x4 work
// FRONT: .text+0x8 work
// CODE: <work>:
// CODE-NEXT: bti c
// CODE-NEXT: nop
// CODE-NEXT: nop
// CODE-NEXT: paciasp
int other(int x);
int work(int x) { return other(x) * 3; }
