// The graph of a gcc program has its exits, also of functions with stack arguments and of clones.
// REQUIRES: gcc, lld
// RUN: %gcc -g -pg -mfentry -c %s -o %t.o && %recordmcount %t.o && %clang -fuse-ld=lld %tables %t.o -o %t && %t
// RUN: %nophook record -p function_graph -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// CHECK: main() {
// CHECK: many();
// CHECK: clone.constprop.0();
// CHECK: }
struct Large { long a[6]; };
__attribute__((noinline, noclone)) static long many(long a, long b, long c, long d, long e, long f, long g, struct Large h) {
  asm volatile("" : "+r"(a));
  return a + b + c + d + e + f + g + h.a[0] + h.a[5];
}
__attribute__((noinline)) static long clone(long a, long b) {
  asm volatile("" : "+r"(a));
  return a * b;
}
int main(void) { return (int)(many(1, 2, 3, 4, 5, 6, 7, (struct Large){{8, 0, 0, 0, 0, 9}}) + clone(3, 2) + clone(4, 2) - 59); }
