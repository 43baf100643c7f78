// optnone functions have sites too, at -O2.
// RUN: %clang %instrument -O2 -S %s -o - | FileCheck %s
// CHECK-LABEL: {{^}}work:
// CHECK: nopl 8(%rax,%rax)
__attribute__((optnone)) int work(int x) { return x * 3; }
