// With debug info the functions of g++ are called through, with as many stack arguments as they have.
// REQUIRES: gcc, lld
// RUN: %gxx -g -pg -mfentry -fPIC -c %s -o %t.o && %recordmcount --verify %t.o | FileCheck %s --check-prefix=SUMMARY
// RUN: %clangxx -shared -fuse-ld=lld %tables %t.o -o %t.so && %nophook list %t.so | FileCheck %s
// RUN: %recordmcount %t.o | FileCheck %s --check-prefix=AGAIN
// SUMMARY: 9 sites in 1 objects, 9 new; 1 of 1 files changed, 9 functions described (2 entry only)
// AGAIN: 9 sites in 1 objects, 0 new; 0 of 1 files changed
// CHECK-DAG: call-through {{ *}}six_words(long, long, long, long, long, long)
// CHECK-DAG: call-through, copies 8 bytes {{ *}}eight_words(
// CHECK-DAG: call-through, copies 24 bytes {{ *}}large(
// CHECK-DAG: call-through, copies 16 bytes {{ *}}x87(
// CHECK-DAG: call-through {{ *}}by_reference(
// CHECK-DAG: call-through, copies 8 bytes {{ *}}hidden_result(
// CHECK-DAG: call-through {{ *}}Class::member(
// CHECK-DAG: entry only: variadic {{ *}}variadic(
// CHECK-DAG: entry only: reads its return address {{ *}}caller_of()
struct Large { long a, b, c; };
struct Mixed { long a; double b; };
struct Own { long a[8]; ~Own(); };
struct Class { int n; int member(long, long, long, long, long); };
long six_words(long a, long b, long c, long d, long e, long f) { return a + b + c + d + e + f; }
long eight_words(long a, long b, long c, long d, long e, long f, long g) { return a + b + c + d + e + f + g; }
long large(Large l, Mixed m) { return l.a + l.c + m.a; }
int x87(long double l) { return (int)l; }
long by_reference(Own o) { return o.a[7]; }
Large hidden_result(long a, long b, long c, long d, long e, long f) { return {a + b + c, d + e, f}; }
int Class::member(long a, long b, long c, long d, long e) { return (int)(n + a + b + c + d + e); }
int variadic(const char *text, ...) { return text[0]; }
void *caller_of() { return __builtin_return_address(0); }
