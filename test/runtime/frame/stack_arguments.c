// Arguments on the stack arrive: longs, doubles, a struct by value, long double, __int128.
// RUN: %traced_cc -O0 %s -o %t && %alike --must longs --must many -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must longs --must many -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"

typedef struct Big {
  long a[5];
} Big;
NOINLINE static long longs(long a, long b, long c, long d, long e, long f, long g, long h) {
  KEEP(&a);
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
NOINLINE static double doubles(double a, double b, double c, double d, double e, double f, double g,
                               double h, double i) {
  KEEP(&a);
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}
NOINLINE static long by_value(Big b) {
  KEEP(&b);
  b.a[4] *= 10; // the copy is the function's own
  return b.a[0] + b.a[4];
}
NOINLINE static long double x87(int a, long double x) {
  KEEP(&a);
  return x / 3;
}
NOINLINE static __int128 wide(long a, long b, long c, long d, long e, __int128 f) {
  KEEP(&a);
  return f * 2 + a + b + c + d + e;
}
NOINLINE static long many(Big a, Big b, Big c, long n, Big d, char e, short f, int g, int h, int i, char j) {
  KEEP(&a);
  return a.a[0] + b.a[1] + c.a[2] + d.a[3] + n + e + f + g + h + i + j;
}

int main(void) {
  Big big = {{1, 2, 3, 4, 5}};
  EXPECT_EQ(longs(1, 2, 3, 4, 5, 6, 7, 8), 204);
  EXPECT_EQ(doubles(1, 2, 3, 4, 5, 6, 7, 8, 9), 285);
  EXPECT_EQ(by_value(big), 51);
  EXPECT_EQ(big.a[4], 5);
  EXPECT(x87(1, 9) == 3);
  EXPECT_EQ(wide(1, 2, 3, 4, 5, (__int128)1 << 70) >> 64, 128);
  EXPECT_EQ(many(big, big, big, 9, big, 'a', -5, 6, 7, 8, 'b'), 10 + 9 + 'a' - 5 + 21 + 'b');
  return failures;
}
// Called through, every one of them: entries that are matched.
// CHECK: by_value: 1 entry, 1 exit
// CHECK: doubles: 1 entry, 1 exit
// CHECK: many: 1 entry, 1 exit
// CHECK: wide: 1 entry, 1 exit
// CHECK: x87: 1 entry, 1 exit
