// AArch64: one instruction, behind `bti c`, and a descriptor that allows to call through.
// RUN: %clang --target=aarch64-linux-gnu %instrument -O2 -mbranch-protection=standard -S %s -o - | FileCheck %s -DTABLE=%table

// CHECK-LABEL: {{^}}work:
// CHECK:       hint #34
// CHECK-NEXT:  .Lpatch0:
// CHECK-NEXT:  nop
// CHECK-NOT:   nop
// CHECK:       .section __ftrace_args,"awo",@progbits,.text
// CHECK:       .word 131073
// CHECK-NEXT:  .word {{-?[0-9]+}}
// CHECK:       .section [[TABLE]],"awo",@progbits,work
// CHECK:       .xword .Lpatch0
int work(int x) { return x * 3; }
