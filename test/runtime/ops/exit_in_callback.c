// At exit nobody waits for a thread that sleeps in a callback of a loaded library, and nothing is
// said about its ops.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -s log=stderr -- %t %t.so 2> %t.err
// RUN: not grep -i "unloaded\|still running" %t.err
#include "ops.h"
#include <unistd.h>
static int inside;
#ifdef LIBRARY
UNTRACED void stay(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  __atomic_store_n((int *)ops->private, 1, __ATOMIC_RELEASE);
  for (;;)
    pause();
}
NOINLINE void in_library(void) { KEEP(inside); }
#else
#include <dlfcn.h>
#include <pthread.h>
NOINLINE static void here(void) { KEEP(0); }
UNTRACED static void *enter(void *unused) {
  here();
  return unused;
}

UNTRACED int main(int count, char **arguments) {
  static struct ftrace_ops ops;
  pthread_t thread;
  EXPECT_EQ(count, 2);
  ops.func = (ftrace_func_t)dlsym(dlopen(arguments[1], RTLD_NOW), "stay");
  ops.private = &inside;
  EXPECT_EQ(set_filter(&ops, "here", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  pthread_create(&thread, NULL, enter, NULL);
  while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
    sched_yield();
  return failures;
}
#endif
