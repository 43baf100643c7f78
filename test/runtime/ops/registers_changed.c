// The registers that a callback with SAVE_REGS changes are what the function sees, and the stack pointer stays;
// unchanged ones are as they were.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <asm/ptrace.h>

NOINLINE long six(long a, long b, long c, long d, long e, long f) { KEEP(a); return a + 10 * (b + 10 * (c + 10 * (d + 10 * (e + 10 * f)))); }
UNTRACED static void turn(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops;
  struct pt_regs *all = ftrace_get_regs(regs);
  EXPECT(all != NULL);
  unsigned long first = all->rdi;
  all->rdi = all->r9, all->r9 = first;
  all->rsp = 0;
}

UNTRACED int main(void) {
  static struct Counted beside = COUNTED(0);
  struct ftrace_ops ops = {.func = turn, .flags = FTRACE_OPS_FL_SAVE_REGS};
  EXPECT_EQ(six(1, 2, 3, 4, 5, 6), 654321);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  EXPECT_EQ(six(1, 2, 3, 4, 5, 6), 154326);
  EXPECT_EQ(register_ftrace_function(&beside.ops), 0);
  EXPECT_EQ(six(1, 2, 3, 4, 5, 6), 154326);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(six(1, 2, 3, 4, 5, 6), 654321);
  EXPECT_EQ(beside.calls, 2);
  EXPECT_EQ(unregister_ftrace_function(&beside.ops), 0);
  return failures;
}
