// ftrace_set_enabled(0) stops callbacks, also those that are registered later, until it is 1 again.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }

UNTRACED int main(void) {
  static struct Counted before = COUNTED(0), during = COUNTED(0);
  EXPECT_EQ(ftrace_get_enabled(), 1);
  EXPECT_EQ(register_ftrace_function(&before.ops), 0);
  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(ftrace_get_enabled(), 0);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(register_ftrace_function(&during.ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 2);
  EXPECT_EQ(text_differing(), 0);
  alpha();
  EXPECT_EQ(before.calls + during.calls, 0);
  EXPECT_EQ(unregister_ftrace_function(&before.ops), 0);
  EXPECT_EQ(set_notrace(&during.ops, "main", 1), -EINVAL); // it has no site
  EXPECT_EQ(ftrace_set_enabled(7), 0);
  EXPECT_EQ(ftrace_get_enabled(), 1);
  alpha();
  EXPECT_EQ(before.calls, 0);
  EXPECT_EQ(during.calls, 1);
  EXPECT_EQ(unregister_ftrace_function(&during.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
