// A change of filters that fails changes nothing: not what is called, nor filter_hash.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
NOINLINE void gamma_(void) { KEEP(0); }
static struct Counted first = COUNTED(FTRACE_OPS_FL_IPMODIFY), second = COUNTED(FTRACE_OPS_FL_IPMODIFY);
UNTRACED static void expect(void) {
  alpha(), beta(), gamma_();
  EXPECT_EQ(calls_of(&first), 1);
  EXPECT_EQ(calls_of(&second), 1);
}

UNTRACED int main(void) {
  EXPECT_EQ(set_filter(&first.ops, "alpha", 1), 0);
  EXPECT_EQ(set_filter(&second.ops, "beta", 1), 0);
  EXPECT_EQ(register_ftrace_function(&first.ops), 0);
  EXPECT_EQ(register_ftrace_function(&second.ops), 0);
  struct ftrace_hash *hash = second.ops.filter_hash;
  EXPECT_EQ(set_filter(&second.ops, "*a", 1), -EBUSY);
  EXPECT(second.ops.filter_hash == hash && !second.ops.notrace_hash);
  expect();
  EXPECT_EQ(set_filter(&second.ops, "alpha gamma_", 0), -EBUSY);
  EXPECT_EQ(set_filter(&second.ops, "gamma_ nothing", 0), -EINVAL);
  EXPECT_EQ(ftrace_set_filter(&second.ops, NULL, 0, 1), -EINVAL);
  EXPECT_EQ(set_filter(&second.ops, "!beta", 0), -EINVAL); // would be all
  EXPECT_EQ(ftrace_set_filter_ip(&second.ops, (unsigned long)alpha, 0, 0), -EBUSY);
  EXPECT_EQ(set_notrace(&second.ops, "gamma_", 1), -EINVAL);
  EXPECT(second.ops.filter_hash == hash && !second.ops.notrace_hash);
  expect();
  EXPECT_EQ(RECORD(gamma_).flags, 0);
  EXPECT_EQ(RECORD(beta).flags, 0x20000001);
  EXPECT_EQ(unregister_ftrace_function(&first.ops), 0);
  EXPECT_EQ(set_filter(&second.ops, "alpha", 1), 0);
  EXPECT_EQ(unregister_ftrace_function(&second.ops), 0);
  return failures;
}
