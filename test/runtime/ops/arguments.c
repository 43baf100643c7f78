// A callback sees where the function is, who called it, and its arguments 0 to 7 and stack pointer;
// all general registers only with SAVE_REGS or SAVE_REGS_IF_SUPPORTED.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %traced_cc -O1 -fcf-protection=full %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %traced_cc -O0 -fno-omit-frame-pointer %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <asm/ptrace.h>

NOINLINE long eight(long a, long b, long c, long d, long e, long f, long g, long h) {
  KEEP(a);
  return a + b + c + d + e + f + g + h;
}
static unsigned long seen_ip, seen_parent, seen[8], stack_pointer;
static struct pt_regs full;
static int is_full, calls;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  EXPECT(ops->private == &calls);
  calls++;
  seen_ip = ip, seen_parent = parent_ip;
  for (unsigned i = 0; i < 8; i++)
    seen[i] = ftrace_regs_get_argument(regs, i);
  stack_pointer = ftrace_regs_get_stack_pointer(regs);
  EXPECT_EQ(*(unsigned long *)stack_pointer, parent_ip);
  EXPECT_EQ(ftrace_regs_get_instruction_pointer(regs), ip + 5);
  struct pt_regs *all = ftrace_get_regs(regs);
  is_full = all != NULL;
  if (all)
    full = *all;
}
static void *return_address;
UNTRACED NOINLINE static long call(void) {
  return_address = __builtin_return_address(0);
  long sum = eight(1, 2, 3, 4, 5, 6, 7, 8);
  KEEP(sum);
  return sum;
}

UNTRACED int main(void) {
  static struct ftrace_ops other = {.func = look, .flags = FTRACE_OPS_FL_STUB};
  static const unsigned long kFlags[] = {0, FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE};
  for (unsigned i = 0; i < 10; i++) {
    struct ftrace_ops ops = {.func = look, .flags = kFlags[i / 2], .private = &calls};
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    EXPECT_EQ(i % 2 ? register_ftrace_function(&other) : 0, 0);
    EXPECT_EQ(call(), 36);
    EXPECT_EQ(seen_ip, ftrace_location((unsigned long)eight));
    EXPECT(seen_parent > (unsigned long)call && seen_parent < (unsigned long)call + 200);
    for (unsigned k = 0; k < 8; k++)
      EXPECT_EQ(seen[k], k + 1);
    EXPECT_EQ(is_full, (i / 2 >= 2));
    if (is_full) {
      EXPECT(full.rdi == 1 && full.rsi == 2 && full.rdx == 3 && full.rcx == 4 && full.r8 == 5 && full.r9 == 6);
      EXPECT_EQ(full.rsp, stack_pointer);
      EXPECT_EQ(full.rip, seen_ip + 5);
    }
    EXPECT_EQ(i % 2 ? unregister_ftrace_function(&other) : 0, 0);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  }
  EXPECT_EQ(calls, 10);
  return failures;
}
