// Where addresses are wide the descriptor's format would differ: the site has none.
// RUN: %clang %instrument -O1 -mcmodel=medium -S %s -o - | FileCheck %s
// RUN: %clang %instrument -O1 -mcmodel=large -S %s -o - | FileCheck %s

// CHECK-NOT: __ftrace_args
// CHECK: nopl 8(%rax,%rax)
// CHECK-NOT: __ftrace_args
int work(int x) { return x * 3; }
