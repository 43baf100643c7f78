// A callback of the program is not called any more once its destructors have run, also not for functions of a library that its destructor calls.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so %linked
// RUN: %traced_cc -O1 %s -o %t %t.so %linked && %trace_linked -p '' -- %t
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
__attribute__((destructor)) static void last(void) { in_library(); }
#else
void in_library(void);
static int is_gone;
static long calls;
__attribute__((destructor)) UNTRACED static void go(void) { is_gone = 1; }
UNTRACED static void on_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  calls++;
  if (is_gone)
    _exit(3);
}
UNTRACED int main(void) {
  static struct ftrace_ops ops = {.func = on_call};
  EXPECT_EQ(set_filter(&ops, "in_library", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  in_library();
  EXPECT_EQ(calls, 1);
  return failures;
}
#endif
