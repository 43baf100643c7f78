// The lists of functions: all of them in the order of their indices, which are enabled and by what,
// which have ever been, where a redirected one leads, and how much memory the records take.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
void returns(void);
__asm__("returns: ret\n");

UNTRACED int main(void) {
  EXPECT_TEXT("available_filter_functions", "alpha\nbeta\n");
  EXPECT_TEXT("dyn_ftrace_total_info", "2 pages:1 groups: 1\n");
  EXPECT_TEXT("enabled_functions", "");
  EXPECT_TEXT("touched_functions", "");
  char lines[256];
  snprintf(lines, sizeof lines, "%016lx alpha\n%016lx beta\n", ftrace_location((unsigned long)alpha),
           ftrace_location((unsigned long)beta));
  EXPECT_TEXT("available_filter_functions_addrs", lines);

  static struct Counted plain = COUNTED(0), registers = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
  EXPECT_EQ(set_filter(&plain.ops, "alpha", 1), 0);
  EXPECT_EQ(register_ftrace_function(&plain.ops), 0);
  EXPECT_TEXT("enabled_functions", "alpha (1)           \ttramp: ftrace_caller\n");
  EXPECT_EQ(register_ftrace_function(&registers.ops), 0);
  EXPECT_TEXT("enabled_functions", "alpha (2) R         \ttramp: ftrace_regs_caller\n"
                                   "beta (1) R         \ttramp: ftrace_regs_caller\n");
  EXPECT_EQ(unregister_ftrace_function(&plain.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&registers.ops), 0);
  EXPECT_TEXT("enabled_functions", "");
  EXPECT(strstr(cat("touched_functions"), "alpha (0)") && strstr(cat("touched_functions"), "beta (0)"));

  static struct Counted modifies = COUNTED(FTRACE_OPS_FL_IPMODIFY);
  static struct ftrace_ops direct;
  EXPECT_EQ(set_filter(&modifies.ops, "alpha", 1), 0);
  EXPECT_EQ(register_ftrace_function(&modifies.ops), 0);
  EXPECT_TEXT("enabled_functions", "alpha (1)   I     M \ttramp: ftrace_caller\n");
  EXPECT_EQ(unregister_ftrace_function(&modifies.ops), 0);
  EXPECT_EQ(set_filter(&direct, "beta", 1), 0);
  EXPECT_EQ(register_ftrace_direct(&direct, (unsigned long)returns), 0);
  EXPECT_TEXT("enabled_functions", "beta (1)     D   M \ttramp: ftrace_caller\n");
  EXPECT_EQ(unregister_ftrace_direct(&direct, (unsigned long)returns, 1), 0);
  EXPECT_EQ(register_ftrace_redirect((unsigned long)alpha, (unsigned long)beta), 0);
  EXPECT_TEXT("enabled_functions", "alpha (0)         M \t-> beta\n");
  EXPECT_EQ(unregister_ftrace_redirect((unsigned long)alpha), 0);
  EXPECT_TEXT("enabled_functions", "");

  // A text that does not fit is cut, and its length returned.
  char few[5];
  EXPECT_EQ(tracefs_read("available_filter_functions", few, sizeof few), 11);
  EXPECT(memcmp(few, "alpha", 5) == 0);
  EXPECT_EQ(tracefs_read("available_filter_functions", NULL, 0), 11);
  return failures;
}
