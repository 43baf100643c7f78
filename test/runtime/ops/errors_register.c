// Registering and unregistering return each error that ftrace.h promises, and change nothing then.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
static struct Counted counted = COUNTED(0), nothing, modifies = COUNTED(FTRACE_OPS_FL_IPMODIFY), second = COUNTED(FTRACE_OPS_FL_IPMODIFY), permanent = COUNTED(FTRACE_OPS_FL_PERMANENT);

UNTRACED int main(void) {
  EXPECT_EQ(register_ftrace_function(NULL), -EINVAL);
  EXPECT_EQ(register_ftrace_function(&nothing.ops), -EINVAL);
  EXPECT_EQ(unregister_ftrace_function(NULL), -ENOENT);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), -ENOENT);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), -EBUSY);
  alpha();
  EXPECT_EQ(calls_of(&counted), 1);
  EXPECT_EQ(RECORD(alpha).flags, 0x20000001);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), -ENOENT);

  EXPECT_EQ(register_ftrace_function(&modifies.ops), -EINVAL); // all functions
  EXPECT_EQ(set_filter(&modifies.ops, "alpha", 1), 0);
  EXPECT_EQ(set_notrace(&modifies.ops, "beta", 1), 0);
  EXPECT_EQ(register_ftrace_function(&modifies.ops), -EINVAL);
  EXPECT_EQ(ftrace_set_notrace(&modifies.ops, NULL, 0, 1), 0);
  EXPECT_EQ(register_ftrace_function(&modifies.ops), 0);
  EXPECT_EQ(ftrace_set_filter(&modifies.ops, NULL, 0, 1), -EINVAL);
  EXPECT_EQ(set_notrace(&modifies.ops, "beta", 1), -EINVAL);
  EXPECT_EQ(set_filter(&second.ops, "alpha beta", 1), 0);
  EXPECT_EQ(register_ftrace_function(&second.ops), -EBUSY);
  alpha(), beta();
  EXPECT_EQ(calls_of(&modifies), 1);
  EXPECT_EQ(calls_of(&second), 0);
  EXPECT_EQ(second.ops.flags & (FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_ADDING | FTRACE_OPS_FL_REMOVING), 0);
  EXPECT_EQ(set_filter(&second.ops, "beta", 1), 0);
  EXPECT_EQ(register_ftrace_function(&second.ops), 0);
  EXPECT_EQ(set_filter(&second.ops, "alpha", 1), -EBUSY);
  alpha(), beta();
  EXPECT_EQ(calls_of(&modifies), 1);
  EXPECT_EQ(calls_of(&second), 1);
  EXPECT_EQ(unregister_ftrace_function(&second.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&modifies.ops), 0);

  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(register_ftrace_function(&permanent.ops), -EBUSY);
  EXPECT_EQ(ftrace_set_enabled(1), 0);
  EXPECT_EQ(register_ftrace_function(&permanent.ops), 0);
  EXPECT_EQ(ftrace_set_enabled(0), -EBUSY);
  EXPECT_EQ(ftrace_get_enabled(), 1);
  EXPECT_EQ(unregister_ftrace_function(&permanent.ops), 0);
  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(ftrace_set_enabled(1), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
