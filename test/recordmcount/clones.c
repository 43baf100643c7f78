// A clone whose signature the optimizer has made up is called through as far as its code shows.
// REQUIRES: gcc, lld
// RUN: %gcc -g -fPIC -pg -mfentry -c %s -o %t.o && %recordmcount %t.o && %clang -shared -fuse-ld=lld %tables %t.o -o %t.so && %nophook list %t.so | FileCheck %s
// CHECK-DAG: call-through, copies {{16|24}} bytes {{ *}}stack.isra.0
// CHECK-DAG: call-through {{ *}}plain.isra.0
struct S { long a, b, c, d; };
__attribute__((noinline)) static long stack(struct S *s, long b, long c, long d, long e, long f) { return s->a + s->b * b + c * d + e * f; }
__attribute__((noinline)) static long plain(struct S *s) { return s->a + s->b; }
long use(struct S s, long n) { return stack(&s, n, n, n, n, n) + plain(&s) + stack(&s, n + 1, n, n, n, n) + plain(&s); }
