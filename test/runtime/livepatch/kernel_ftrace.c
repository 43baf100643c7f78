// The kernel's test-ftrace.sh and test-kprobe.sh hold: a patch and ftrace_enabled=0 exclude each other, functions are
// traced before and after they are patched, and a callback that continues elsewhere excludes a patch.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "klp.h"
#include "ops.h"
NOINLINE int cmdline(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_cmdline(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(cmdline, new_cmdline));

UNTRACED static void livepatch_interaction_with_ftrace_enabled(void) {
  static struct Counted ops = COUNTED(0);
  EXPECT_EQ(set_filter(&ops.ops, "cmdline", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops.ops), 0);
  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(klp_enable_patch(&patch), -EBUSY);
  EXPECT_EQ(cmdline(), 1);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(ftrace_set_enabled(1), 0);
  enable_and_wait(&patch);
  EXPECT_EQ(ftrace_set_enabled(0), -EBUSY);
  EXPECT_EQ(ftrace_get_enabled(), 1);
  EXPECT_EQ(cmdline(), 2);
  EXPECT_EQ(calls_of(&ops), 1);
  disable_and_wait(&patch);
  EXPECT_EQ(ftrace_set_enabled(0), 0);
  EXPECT_EQ(ftrace_set_enabled(1), 0);
  EXPECT_EQ(unregister_ftrace_function(&ops.ops), 0);
}
UNTRACED static void trace_livepatched_function(void) {
  static struct Counted ops = COUNTED(0);
  enable_and_wait(&patch);
  EXPECT_EQ(set_filter(&ops.ops, "new_cmdline", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops.ops), 0);
  EXPECT_EQ(cmdline(), 2);
  EXPECT_EQ(calls_of(&ops), 1);
  EXPECT_EQ(unregister_ftrace_function(&ops.ops), 0);
  EXPECT_EQ(cmdline(), 2);
  disable_and_wait(&patch);
}
UNTRACED static void livepatch_a_traced_function(void) {
  static struct Counted ops = COUNTED(0);
  EXPECT_EQ(set_filter(&ops.ops, "cmdline", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops.ops), 0);
  enable_and_wait(&patch);
  calls_of(&ops);
  EXPECT_EQ(cmdline(), 2);
  EXPECT_EQ(calls_of(&ops), 1);
  EXPECT_EQ(unregister_ftrace_function(&ops.ops), 0);
  disable_and_wait(&patch);
}
// A kprobe with a post_handler may change where the function continues; here, an ops with IPMODIFY may.
UNTRACED static void livepatch_interaction_with_kprobed_function_with_post_handler(void) {
  static struct Counted probe = COUNTED(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS);
  EXPECT_EQ(set_filter(&probe.ops, "cmdline", 1), 0);
  EXPECT_EQ(register_ftrace_function(&probe.ops), 0);
  EXPECT_EQ(klp_enable_patch(&patch), -EBUSY);
  EXPECT_EQ(klp_patch_status(&patch), 0);
  EXPECT_EQ(cmdline(), 1);
  EXPECT_EQ(unregister_ftrace_function(&probe.ops), 0);
}
UNTRACED static void livepatch_interaction_with_kprobed_function_without_post_handler(void) {
  static struct Counted probe = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
  EXPECT_EQ(set_filter(&probe.ops, "cmdline", 1), 0);
  EXPECT_EQ(register_ftrace_function(&probe.ops), 0);
  enable_and_wait(&patch);
  EXPECT_EQ(cmdline(), 2);
  EXPECT_EQ(unregister_ftrace_function(&probe.ops), 0);
  EXPECT_EQ(cmdline(), 2);
  disable_and_wait(&patch);
  EXPECT_EQ(cmdline(), 1);
}

UNTRACED int main(void) {
  livepatch_interaction_with_ftrace_enabled();
  trace_livepatched_function();
  livepatch_a_traced_function();
  livepatch_interaction_with_kprobed_function_with_post_handler();
  livepatch_interaction_with_kprobed_function_without_post_handler();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
