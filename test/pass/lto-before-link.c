// Before an LTO link signatures may still change: functions get a site, but no descriptor yet.
// RUN: %clang %instrument -O2 -flto=thin -c %s -o %t.bc
// RUN: %llvm-dis %t.bc -o - | FileCheck %s
// RUN: %clang %instrument -O2 -flto -c %s -o %t.bc
// RUN: %llvm-dis %t.bc -o - | FileCheck %s
// RUN: %clang -fpass-plugin=%plugin -O0 -flto -c %s -o %t.bc
// RUN: %llvm-dis %t.bc -o - | FileCheck %s

// CHECK-NOT: __ftrace_args
// CHECK: "patchable-function-entry"="5"
// CHECK-NOT: __ftrace_args
int work(int x) { return x * 3; }
