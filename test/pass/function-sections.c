// With -ffunction-sections each entry and descriptor is ordered to its own function's section.
// RUN: %clang %instrument -O1 -ffunction-sections -S %s -o - | FileCheck %s -DTABLE=%table

// CHECK: .section __ftrace_args,"awo",@progbits,.text.one
// CHECK: .section [[TABLE]],"awo",@progbits,one
// CHECK: .section __ftrace_args,"awo",@progbits,.text.two
// CHECK: .section [[TABLE]],"awo",@progbits,two
int one(int x) { return x * 3; }
int two(int x) { return x * 5; }
