// CONTROL: calls are skipped while *disabled is not 0, and only with the flag.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }

UNTRACED int main(void) {
  static volatile int off = 1;
  static struct Counted controlled = COUNTED(FTRACE_OPS_FL_CONTROL), plain = COUNTED(0), bare = COUNTED(FTRACE_OPS_FL_CONTROL | FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS);
  controlled.ops.disabled = plain.ops.disabled = bare.ops.disabled = &off;
  struct Counted *all[] = {&controlled, &plain, &bare};
  for (int several = 0; several < 2; several++)
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++)
        EXPECT_EQ(k == i || several ? register_ftrace_function(&all[k]->ops) : 0, 0);
      for (off = 1; off >= 0; off--) {
        for (int k = 0; k < 3; k++)
          all[k]->calls = 0;
        alpha();
        EXPECT_EQ(calls_of(all[i]), i == 1 || !off);
        EXPECT_EQ(all[i]->ops.missed, 0);
      }
      for (int k = 0; k < 3; k++)
        EXPECT_EQ(k == i || several ? unregister_ftrace_function(&all[k]->ops) : 0, 0);
    }
  return failures;
}
