// Fewer NOPs than a site needs are refused, and the object stays as it was.
// REQUIRES: gcc
// RUN: %gcc -fpatchable-function-entry=4 -c %s -o %t.o && cp %t.o %t.before
// RUN: %exits 1 %recordmcount %t.o 2>&1 | FileCheck %s
// RUN: cmp %t.o %t.before
// CHECK: .o: .text+0x0: only 4 bytes of NOPs, a site needs 5: -fpatchable-function-entry=5
int f(int a) { return a + 1; }
