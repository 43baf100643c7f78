// A vfork child that makes its thread's first call while no memory can be mapped runs its callbacks. Its record stays taken: children for which none is left are skipped, threads that have memory are not (docs/limits.md).
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { kThreads = 200 };
NOINLINE static void in_child(void) { KEEP(0); }
NOINLINE static void in_thread(void) { KEEP(0); }
static long calls, watched;
UNTRACED static void count_it(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  calls++;
  watched += rcu_is_watching();
}
static struct ftrace_ops ops = {.func = count_it};
UNTRACED static void *child_first(void *unused) {
  pid_t child = vfork();
  if (child == 0) {
    setrlimit(RLIMIT_AS, &(struct rlimit){0, RLIM_INFINITY});
    in_child();
    _exit(0);
  }
  EXPECT_EQ(waitpid(child, NULL, 0), child);
  const long before = calls;
  in_thread();
  EXPECT_EQ(calls, before + 1);
  return unused;
}
UNTRACED int main(void) {
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  for (int i = 0; i < kThreads; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, child_first, NULL), 0);
    pthread_join(thread, NULL);
    EXPECT(i > 0 || calls == 2);
  }
  EXPECT_EQ(watched, kThreads);
  EXPECT(calls < 2 * kThreads);
  return failures;
}
