// STUB: the ops is counted at its sites and never called, alone or beside others.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }

UNTRACED int main(void) {
  static struct Counted stub = COUNTED(FTRACE_OPS_FL_STUB), plain = COUNTED(0);
  EXPECT_EQ(register_ftrace_function(&stub.ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0x20000001);
  alpha();
  EXPECT_EQ(register_ftrace_function(&plain.ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0x20000002);
  alpha();
  EXPECT_EQ(stub.calls, 0);
  EXPECT_EQ(plain.calls, 1);
  EXPECT_EQ(unregister_ftrace_function(&stub.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&plain.ops), 0);
  return failures;
}
