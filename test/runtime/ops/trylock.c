// ftrace_test_recursion_trylock stops a callback that is RECURSION_SAFE: from any function that
// the callback calls, once for each context, and refuses where there is no callback. However deep
// in the stack it was taken: handlers and calls that come later may lie above.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#include <signal.h>

NOINLINE void alpha(void) { KEEP(0); }
static long calls, entered, refused;
static int raises;
UNTRACED NOINLINE static int lock_below(unsigned long ip, unsigned long parent_ip) {
  char room[1 << 16];
  KEEP(room);
  int bit = ftrace_test_recursion_trylock(ip, parent_ip);
  KEEP(room);
  return bit;
}
UNTRACED static void locks(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)regs;
  int bit = ops->private && calls++ % 2 == 0 ? lock_below(ip, parent_ip) : ftrace_test_recursion_trylock(ip, parent_ip);
  if (bit < 0) {
    refused++;
    return;
  }
  entered++;
  if (entered < 10) // else it has failed already
    alpha();
  if (raises-- > 0)
    raise(SIGUSR1);
  ftrace_test_recursion_unlock(bit);
}
UNTRACED static void on_signal(int number) { (void)number, alpha(); }
UNTRACED static void *in_a_new_thread(void *unused) {
  int bit = ftrace_test_recursion_trylock(1, 2); // no callback is running
  ftrace_test_recursion_unlock(bit);
  return unused;
}

UNTRACED int main(void) {
  pthread_t thread;
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 4; i++) {
    struct ftrace_ops ops = {.func = locks, .flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS * (i & 1), .private = i & 2 ? &ops : NULL};
    EXPECT_EQ(set_filter(&ops, "alpha", 1), 0);
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    for (raises = 0; raises < 2; raises++) {
      int handlers = raises;
      calls = entered = refused = 0;
      alpha();
      EXPECT_EQ(entered, 1 + handlers);
      EXPECT_EQ(refused, 1 + handlers);
      raises = handlers;
    }
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
    ftrace_free_filter(&ops);
  }
  pthread_create(&thread, NULL, in_a_new_thread, NULL);
  pthread_join(thread, NULL);
  return failures;
}
