// A tracer on all functions and a second ops on one of them: the second fires there only, the
// first everywhere, once each; in whichever order they come and go.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
static struct Counted all = COUNTED(0), one = COUNTED(0);
UNTRACED static void expect(long of_all, long of_one) {
  for (int i = 0; i < 10; i++)
    alpha(), beta();
  EXPECT_EQ(calls_of(&all), of_all);
  EXPECT_EQ(calls_of(&one), of_one);
}

UNTRACED int main(void) {
  EXPECT_EQ(set_filter(&one.ops, "beta", 1), 0);
  expect(0, 0);
  for (int order = 0; order < 4; order++) {
    struct ftrace_ops *first = order & 1 ? &one.ops : &all.ops, *last = order & 1 ? &all.ops : &one.ops;
    EXPECT_EQ(register_ftrace_function(first), 0);
    expect(order & 1 ? 0 : 20, order & 1 ? 10 : 0);
    EXPECT_EQ(register_ftrace_function(last), 0);
    expect(20, 10);
    EXPECT_EQ(RECORD(alpha).flags, 0x20000001);
    EXPECT_EQ(RECORD(beta).flags, 0x20000002);
    EXPECT_EQ(unregister_ftrace_function(order & 2 ? last : first), 0);
    expect(order == 0 || order == 3 ? 0 : 20, order == 0 || order == 3 ? 10 : 0);
    EXPECT_EQ(unregister_ftrace_function(order & 2 ? first : last), 0);
    expect(0, 0);
    EXPECT_EQ(text_differing(), 0);
  }
  return failures;
}
