// A thread that has left a callback by siglongjmp, and from then on only sleeps or calls deeper functions, is not waited for by unregistering, and its deeper calls are seen.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %checked %t
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf away;
static int in_callback, is_away, is_over;
static long deep_hits;
NOINLINE void trap(void) { KEEP(0); }
NOINLINE void deep(void) { KEEP(0); }
UNTRACED static void stay(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)parent_ip, (void)regs;
  if (ip != (unsigned long)ops->private) {
    deep_hits++;
    return;
  }
  __atomic_store_n(&in_callback, 1, __ATOMIC_RELEASE);
  for (;;)
    KEEP(0);
}
UNTRACED static void leave(int number) {
  (void)number;
  siglongjmp(away, 1);
}
UNTRACED NOINLINE static void go_deeper(int levels) {
  char room[512];
  memset(room, levels, sizeof room);
  KEEP(room);
  if (levels)
    go_deeper(levels - 1);
  else
    deep();
  KEEP(room);
}
UNTRACED static void *run(void *unused) {
  if (!sigsetjmp(away, 1))
    trap();
  go_deeper(30);
  __atomic_store_n(&is_away, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE))
    usleep(1000);
  return unused;
}
UNTRACED int main(void) {
  static struct ftrace_ops ops = {.func = stay};
  pthread_t thread;
  signal(SIGUSR1, leave);
  ops.private = (void *)ftrace_location((unsigned long)trap);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  pthread_create(&thread, NULL, run, NULL);
  while (!__atomic_load_n(&in_callback, __ATOMIC_ACQUIRE))
    usleep(1000);
  pthread_kill(thread, SIGUSR1);
  while (!__atomic_load_n(&is_away, __ATOMIC_ACQUIRE))
    usleep(1000);
  alarm(300); // hanging is failing
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(deep_hits, 1);
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  return failures;
}
