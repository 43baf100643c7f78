// A longer NOP than a site's becomes a site and the rest: the runtime writes five bytes.
// RUN: %clang -O1 -fpatchable-function-entry=9 -c %s -o %t.o && %recordmcount --verify %t.o
// RUN: %objdump -d %t.o | FileCheck %s
// CHECK: <f>:
// CHECK-NEXT: 0f 1f 44 00 00 nopl
// CHECK-NEXT: 90 nop
// CHECK-COUNT-3: nop
// CHECK-NEXT: leal
int f(int a) { return a + 1; }
