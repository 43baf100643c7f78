// The debug info of -g1 has no parameters: nothing is described from it, and the program computes the same.
// REQUIRES: gcc, lld
// RUN: %gcc -g1 -pg -mfentry -c %s -o %t.o && %recordmcount %t.o && %readelf -S %t.o | FileCheck %s --implicit-check-not=__ftrace_args
// RUN: %clang -fuse-ld=lld %tables %t.o -o %t && %t && %nophook record -p function_graph -o %t.data -- %t
// CHECK: __mcount_loc
__attribute__((noinline)) long many(long a, long b, long c, long d, long e, long f, long g, long h) {
  __asm__ volatile("" : "+r"(a));
  return a + b + c + d + e + f + g - h;
}
int main(void) { return (int)many(1, 2, 3, 4, 5, 6, 7, 28); }
