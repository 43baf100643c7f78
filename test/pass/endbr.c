// Under CET the site is behind endbr64: entry at +4, descriptor at the function's start.
// RUN: %clang %instrument -O2 -fcf-protection=full -c %s -o %t.o
// RUN: %objdump -dr --no-show-raw-insn %t.o | FileCheck %s
// RUN: %objdump -d %t.o | FileCheck %s --check-prefix=BYTES
// RUN: %readelf -r %t.o | FileCheck %s --check-prefix=RELOCATIONS
// RUN: %clang %instrument -O0 -fPIE -fcf-protection=full -c %s -o %t.o
// RUN: %objdump -d %t.o | FileCheck %s --check-prefix=BYTES

// CHECK-LABEL: <work>:
// CHECK-NEXT:  0: endbr64
// CHECK-NEXT:  4: nopl 0x8(%rax,%rax)
// BYTES:       f3 0f 1e fa
// BYTES-NEXT:  0f 1f 44 00 08
// RELOCATIONS: .rela__ftrace_args
// RELOCATIONS: R_X86_64_PC32 {{.*}} .text + 0
// RELOCATIONS: R_X86_64_64 {{.*}} .text + 4
int work(int x) { return x * 3; }
