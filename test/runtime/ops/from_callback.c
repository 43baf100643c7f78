// A callback registers and unregisters other ops, and itself: nothing waits for its own frame, and
// after it has returned it is not called again.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE static void called(void) { KEEP(0); }
static struct Counted other = COUNTED(0);
static int runs;
UNTRACED static void changes(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  if (++runs == 1) {
    EXPECT_EQ(register_ftrace_function(&other.ops), 0);
  } else if (runs == 2) {
    EXPECT_EQ(set_filter(&other.ops, "called", 1), 0);
  } else if (runs == 3) {
    EXPECT_EQ(unregister_ftrace_function(&other.ops), 0);
  } else {
    EXPECT_EQ(unregister_ftrace_function(ops), 0);
    EXPECT_EQ(unregister_ftrace_function(ops), -ENOENT);
  }
}

UNTRACED int main(void) {
  for (int i = 0; i < 100; i++) {
    struct ftrace_ops ops = {.func = changes, .flags = i % 2 ? FTRACE_OPS_FL_SAVE_REGS : 0};
    runs = 0;
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    for (int k = 0; k < 10; k++)
      called();
    EXPECT_EQ(runs, 4);
    EXPECT(calls_of(&other) >= 1); // the second call, and perhaps those that change it
    ftrace_free_filter(&other.ops);
    EXPECT_EQ(text_differing(), 0);
  }
  return failures;
}
