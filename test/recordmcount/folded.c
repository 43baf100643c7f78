// A function that gcc has folded into another one has no debug info: its code decides.
// REQUIRES: gcc, lld
// RUN: %gcc -g -fPIC -pg -mfentry -c %s -o %t.o && %recordmcount %t.o | FileCheck %s --check-prefix=SUMMARY
// RUN: %clang -shared -fuse-ld=lld %tables %t.o -o %t.so && %nophook list %t.so | FileCheck %s
// SUMMARY: 4 functions described (0 entry only)
// CHECK-DAG: call-through, copies 8 bytes {{ *}}first
// CHECK-DAG: call-through, copies {{8|16}} bytes {{ *}}second
// CHECK-DAG: call-through {{ *}}nothing
// CHECK-DAG: call-through {{ *}}nothing_more
long first(long a, long b, long c, long d, long e, long f, long g) { return a * b + c * d + e * f + g; }
long second(long a, long b, long c, long d, long e, long f, long g) { return a * b + c * d + e * f + g; }
int nothing(void) { return 0; }
int nothing_more(void) { return 0; }
