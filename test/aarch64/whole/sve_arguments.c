// A callback may use vector registers: all lanes of SVE arguments, and predicates, are what the caller passed.
// RUN: %traced_cc -O1 -march=armv8-a+sve %s -o %t %static && %run_nop %t
#include "program.h"

#include <arm_sve.h>
#include <ftrace.h>

static long callbacks;
static volatile double kept = 1.5;

NOINLINE svint64_t lanes(svbool_t wanted, svint64_t a, svint64_t b, svint64_t c) {
  __asm__ volatile(""); // else the second call has the first one's result
  return svadd_x(svptrue_b64(), svsel(wanted, a, b), svmul_x(svptrue_b64(), c, 10));
}

// svindex, pfalse and wrffr leave nothing of a register as it was.
UNTRACED static void spoils(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent, (void)ops, (void)regs; // unused
  __asm__ volatile("index z0.d, 0, 3\n index z1.d, 0, 5\n index z2.d, 1, 7\n index z31.d, 1, 7\n pfalse p0.b\n"
                   "pfalse p3.b\n wrffr p0.b\n msr fpsr, xzr" ::
                       : "z0", "z1", "z2", "z31", "p0", "p3", "memory");
  kept *= 2;
  callbacks++;
}

UNTRACED static void check(void) {
  const svbool_t all = svptrue_b64();
  long got[64];
  svint64_t result = lanes(svwhilelt_b64(0, 3), svindex_s64(100, 1), svindex_s64(200, 1), svindex_s64(1, 1));
  svst1(all, got, result);
  for (long i = 0; i < (long)svcntd(); i++)
    EXPECT_EQ(got[i], (i < 3 ? 100 : 200) + i + 10 * (i + 1));
}

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = spoils};
  EXPECT(svcntd() > 2); // else there is nothing beyond the short registers
  check();
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  check();
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(callbacks, 1);
  return failures != 0;
}
