// A record's flags are the kernel's: a count, bit 29 enabled, 30 registers wanted, 31 provided.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }

UNTRACED int main(void) {
  static struct Counted plain[3] = {COUNTED(0), COUNTED(0), COUNTED(FTRACE_OPS_FL_STUB)}, full = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
  EXPECT_EQ(set_filter(&full.ops, "alpha", 1), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0);
  for (unsigned i = 0; i < 3; i++) {
    EXPECT_EQ(register_ftrace_function(&plain[i].ops), 0);
    EXPECT_EQ(RECORD(alpha).flags, 0x20000001 + i);
  }
  EXPECT_EQ(register_ftrace_function(&full.ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0xe0000004);
  EXPECT_EQ(RECORD(beta).flags, 0x20000003);
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(unregister_ftrace_function(&plain[i].ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0xe0000001);
  EXPECT_EQ(RECORD(beta).flags, 0);
  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0x40000001); // wanted, not done
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(ftrace_set_enabled(1), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0xe0000001);
  EXPECT_EQ(register_ftrace_function(&plain[0].ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&full.ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0x20000001); // registers are given up
  EXPECT_EQ(unregister_ftrace_function(&plain[0].ops), 0);
  EXPECT_EQ(RECORD(alpha).flags, 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
