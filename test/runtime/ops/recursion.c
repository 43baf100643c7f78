// A callback that calls the traced function does not run in itself and is counted as missed, with
// its place; with RECURSION_SAFE it is on its own, with RECURSION it is stopped all the same.
// RUN: %traced_cc -O1 %s -o %t %static && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
static struct Counted inner = COUNTED(0);
static int depth, deepest;
static long calls;
UNTRACED static void calls_alpha(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  calls++;
  if (++depth > deepest)
    deepest = depth;
  if (depth < 4)
    alpha();
  char *memory = malloc(100);
  KEEP(memory);
  free(memory);
  depth--;
}
UNTRACED static void expect(unsigned long flags, int depths, unsigned long missed) {
  struct ftrace_ops ops = {.func = calls_alpha, .flags = flags};
  EXPECT_EQ(set_filter(&ops, "alpha", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  calls = deepest = 0;
  alpha();
  EXPECT_EQ(deepest, depths);
  EXPECT_EQ(calls, depths);
  EXPECT_EQ(ops.missed, missed);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  ftrace_free_filter(&ops);
}
// recursed_functions of ops/recursion.h
struct Recursed { unsigned long ip, parent_ip, count; };
const struct Recursed *_ZN7nophook18recursed_functionsEv(void);

UNTRACED int main(void) {
  expect(0, 1, 1);
  expect(FTRACE_OPS_FL_SAVE_REGS, 1, 1);
  expect(FTRACE_OPS_FL_GENERAL_REGS, 1, 1);
  expect(FTRACE_OPS_FL_RECURSION_SAFE, 4, 0);
  expect(FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS, 4, 0);
  expect(FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_RECURSION, 1, 1);
  EXPECT_EQ(set_filter(&inner.ops, "alpha", 1), 0);
  EXPECT_EQ(register_ftrace_function(&inner.ops), 0); // the other one's calls are seen
  expect(0, 1, 1);
  EXPECT_EQ(inner.calls, 2);
  EXPECT_EQ(inner.ops.missed, 0);
  const struct Recursed *place = _ZN7nophook18recursed_functionsEv();
  EXPECT_EQ(place[0].ip, ftrace_location((unsigned long)alpha));
  EXPECT(place[0].parent_ip > (unsigned long)calls_alpha && place[0].parent_ip < (unsigned long)calls_alpha + 500);
  EXPECT_EQ(place[0].count, 5);
  EXPECT_EQ(place[1].ip, 0);
  return failures;
}
