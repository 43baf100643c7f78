// A child of fork has an ops that another thread of its parent was just unregistering: it can be registered again there.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %t
#include "text.h"
#include <errno.h>
#include <ftrace.h>
#include <pthread.h>
#include <sys/wait.h>

static int is_inside, may_leave;
static long hits;
NOINLINE void work(void) { KEEP(0); }
UNTRACED static void stay(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  hits++;
  __atomic_store_n(&is_inside, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&may_leave, __ATOMIC_ACQUIRE))
    usleep(1000);
}
UNTRACED static void *call(void *unused) {
  work();
  return unused;
}
static struct ftrace_ops ops = {.func = stay};
UNTRACED static void *unregister(void *unused) {
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  return unused;
}
UNTRACED int main(void) {
  pthread_t caller, remover;
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  pthread_create(&caller, NULL, call, NULL);
  while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
    usleep(1000);
  pthread_create(&remover, NULL, unregister, NULL);
  while (!(*(volatile unsigned long *)&ops.flags & FTRACE_OPS_FL_REMOVING))
    usleep(1000);
  EXPECT_EQ(register_ftrace_function(&ops), -EBUSY);
  EXPECT_EQ(unregister_ftrace_function(&ops), -ENOENT);
  pid_t child = fork();
  if (child == 0) {
    may_leave = 1;
    hits = 0;
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    work();
    EXPECT_EQ(hits, 1);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
    EXPECT_EQ(text_differing(), 0);
    fflush(stdout);
    _exit(failures != 0);
  }
  __atomic_store_n(&may_leave, 1, __ATOMIC_RELEASE);
  pthread_join(caller, NULL);
  pthread_join(remover, NULL);
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return failures;
}
