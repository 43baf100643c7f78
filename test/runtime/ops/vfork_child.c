// RCU: not called where rcu_is_watching() is 0, as in a vfork child; others are called there.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <sys/wait.h>
#include <unistd.h>

NOINLINE void alpha(void) { KEEP(0); }
static int watching[2];
static struct Counted watched = COUNTED(FTRACE_OPS_FL_RCU), bare = COUNTED(FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS);
UNTRACED static void ask(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  watching[rcu_is_watching()]++;
}

UNTRACED int main(void) {
  static struct ftrace_ops asks = {.func = ask};
  EXPECT_EQ(register_ftrace_function(&watched.ops), 0);
  for (int several = 0; several < 2; several++) {
    watching[0] = watching[1] = 0;
    alpha();
    pid_t pid = vfork();
    if (pid == 0) {
      alpha();
      _exit(0);
    }
    waitpid(pid, NULL, 0);
    alpha();
    EXPECT_EQ(calls_of(&watched), 2);
    EXPECT_EQ(calls_of(&bare), several * 2);
    EXPECT_EQ(watching[0], several);
    EXPECT_EQ(watching[1], 2 * several);
    EXPECT_EQ(several ? 0 : register_ftrace_function(&asks), 0);
    EXPECT_EQ(several ? 0 : register_ftrace_function(&bare.ops), 0);
  }
  EXPECT_EQ(watched.ops.missed, 0);
  EXPECT_EQ(unregister_ftrace_function(&watched.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&asks), 0);
  EXPECT_EQ(unregister_ftrace_function(&bare.ops), 0);
  return failures;
}
