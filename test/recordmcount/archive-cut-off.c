// A member that is longer than what is left of its archive is refused before it is read.
// REQUIRES: gcc
// RUN: rm -f %t.a && %gcc -pg -mfentry -c %s -o %t.o && %ar rcS %t.a %t.o && head -c -200 %t.a > %t.b
// RUN: cp %t.b %t.before && %exits 1 %recordmcount %t.b 2>&1 | FileCheck %s && cmp %t.b %t.before
// CHECK: recordmcount: {{.*}}.b: member at offset {{[0-9]+}}: is cut off
int f(int a) { return a + 1; }
