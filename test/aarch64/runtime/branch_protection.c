// Functions that sign their return addresses are traced, called through, left by longjmp and by tail
// calls, and return to where they were called: nothing that a trampoline does touches a signature.
// RUN: %traced_cc -O0 -mbranch-protection=standard %s -o %t && %alike --must deep --must odd -- %t
// RUN: %traced_cc -O2 -mbranch-protection=standard %s -o %t && %alike --must deep --must odd -- %t
// RUN: %traced_cc -O2 -mbranch-protection=pac-ret+leaf+b-key+bti %s -o %t && %alike --must deep --must odd -- %t
// RUN: %objdump -d %t.program | FileCheck %s
// The site stands behind the landing pad, and in front of what signs.
// CHECK-LABEL: <deep>:
// CHECK-NEXT: bti c
// CHECK-NEXT: nop
// CHECK-NEXT: pacibsp
#include "program.h"
#include <setjmp.h>

static jmp_buf way_back;

NOINLINE long deep(long n) {
  if (n == 500)
    longjmp(way_back, 1);
  return n > 0 ? deep(n - 1) + n : 0;
}

NOINLINE static long odd(long n, long sum);
NOINLINE static long even(long n, long sum) {
  KEEP(n);
  return n ? odd(n - 1, sum + n) : sum;
}
NOINLINE static long odd(long n, long sum) {
  KEEP(n);
  return n ? even(n - 1, sum + n) : sum;
}

struct large { long values[9]; };
NOINLINE static struct large returned(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
  return (struct large){{a, b, c, d, e, f, g, h, i}};
}

int main(void) {
  EXPECT_EQ(deep(400), 400 * 401 / 2);
  volatile int jumps = 0;
  if (!setjmp(way_back))
    deep(1000);
  else
    jumps++;
  EXPECT_EQ(jumps, 1);
  EXPECT_EQ(odd(1001, 0), 1001 * 1002 / 2);
  for (long i = 0; i < 100; i++)
    EXPECT_EQ(returned(1, 2, 3, 4, 5, 6, 7, 8, i).values[8], i);
  return failures;
}
