// -fplugin= alone gives a function its site, table entry and descriptor, at every level.
// RUN: %clang %instrument -O0 -S %s -o - | FileCheck %s -DTABLE=%table
// RUN: %clang %instrument -O1 -S %s -o - | FileCheck %s -DTABLE=%table
// RUN: %clang %instrument -O2 -fPIE -S %s -o - | FileCheck %s -DTABLE=%table
// RUN: %clang %instrument -O3 -fno-pie -S %s -o - | FileCheck %s -DTABLE=%table
// RUN: %clang %instrument -Os -fPIC -S %s -o - | FileCheck %s -DTABLE=%table
// RUN: %clang -O2 -S %s -o - | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: {{^}}work:
// CHECK:       .Lfunc_begin0:
// CHECK-NOT:   {{pushq|movl|imull}}
// CHECK:       nopl 8(%rax,%rax)
// CHECK:       .section __ftrace_args,"awo",@progbits,.text
// CHECK:       .long .Lfunc_begin0-
// CHECK-NEXT:  .long .Lfunc_end0-.Lfunc_begin0
// CHECK-NEXT:  .long 131073
// CHECK-NEXT:  .long {{-?[0-9]+}}
// CHECK:       .section [[TABLE]],"awo",@progbits,work
// CHECK:       .quad .Lfunc_begin0
// PLAIN-NOT:   {{nopl|__ftrace_args|__mcount_loc|__patchable}}
int work(int x) { return x * 3; }
