// The output of clang's own -fpatchable-function-entry=5 is complete already.
// RUN: %clang -O1 -fpatchable-function-entry=5 -c %s -o %t.o && cp %t.o %t.before
// RUN: %recordmcount --list --verify %t.o | FileCheck %s
// RUN: cmp %t.o %t.before
// CHECK: .text+0x0 f
// CHECK: 1 sites in 1 objects, 0 new; 0 of 1 files changed
int f(int a) { return a + 1; }
