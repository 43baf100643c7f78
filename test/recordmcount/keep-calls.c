// --keep-calls records the sites and leaves the calls, for static tracing.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %recordmcount --keep-calls --verify %t.o
// RUN: %readelf -r %t.o | FileCheck %s
// CHECK: __fentry__
// CHECK: .rela__mcount_loc
int f(int a) { return a + 1; }
