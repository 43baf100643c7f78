// A caller that knows which registers a static callee leaves alone still finds them so.
// RUN: %traced_cc -O2 -mllvm -enable-ipra %s -o %t && %alike --must leaf -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must leaf -- %t
#include "program.h"

NOINLINE static long leaf(long x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

int main(void) {
  long sum = 0;
  for (long i = 0; i < 1000; i++) {
    long a = i * 3, b = i * 5, c = i * 7, d = i * 9, e = i * 11, f = i * 13, g = i * 15, h = i * 17;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
    sum += leaf(i);
    EXPECT_EQ(a + b + c + d + e + f + g + h, i * 80);
  }
  EXPECT_EQ(sum, 500500);
  return failures;
}
