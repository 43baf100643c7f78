// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One traced function. The first argument chooses the way of its calls.
#include "program.h"

#include <ftrace.h>
#include <string.h>

__attribute__((noinline, used)) void work(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((used)) UNTRACED NOINLINE static void call_work(void) {
  work();
  __asm__ volatile("" ::: "memory");
}

UNTRACED static void nothing(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent, (void)ops, (void)regs;
}

UNTRACED int main(int count, char **arguments) {
  const unsigned long kFlags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS;
  static struct ftrace_ops ops = {.func = nothing};
  const char *way = count > 1 ? arguments[1] : "";
  if (strncmp(way, "callback", 8) == 0) {
    ops.flags = strcmp(way, "callback with registers") ? kFlags : kFlags | FTRACE_OPS_FL_SAVE_REGS;
    EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"work", 4, 1), 0);
    EXPECT_EQ(register_ftrace_function(&ops), 0);
  } else {
    EXPECT_EQ(tracing_set_tracer(way), 0);
  }
  for (int i = 0; i < 3; i++) // the first call makes the thread's buffer
    call_work();
  return failures;
}
