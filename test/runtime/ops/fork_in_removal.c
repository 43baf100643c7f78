// A signal handler forks while its thread unregisters and waits for a callback, and the child registers the ops again: what the child's thread has waited for is over, and it leaves the new registration alone.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "napping.h"
#include "ops.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

static int hits, left, is_inside;
static pid_t child = -1;
static pthread_t waiting;
UNTRACED static int load(const int *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
UNTRACED static void store(int *at, int value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }

NOINLINE static void here(void) { KEEP(0); }
UNTRACED static void stay(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  hits++;
  store(&is_inside, 1);
  while (!load(&left))
    sched_yield();
}
static struct ftrace_ops ops = {.func = stay};
UNTRACED static void *enter(void *unused) {
  here();
  return unused;
}
UNTRACED static void *interrupt(void *unused) {
  while (!is_napping(getpid()))
    sched_yield();
  pthread_kill(waiting, SIGUSR1);
  return unused;
}
UNTRACED static void split(int number) {
  (void)number;
  child = fork();
  store(&left, 1);
  if (child == 0)
    EXPECT_EQ(register_ftrace_function(&ops), 0);
}

UNTRACED int main(void) {
  pthread_t caller, interrupter;
  signal(SIGUSR1, split);
  waiting = pthread_self();
  EXPECT_EQ(set_filter(&ops, "here", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  pthread_create(&caller, NULL, enter, NULL);
  while (!load(&is_inside))
    sched_yield();
  pthread_create(&interrupter, NULL, interrupt, NULL);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  here();
  EXPECT_EQ(hits, child ? 1 : 2);
  EXPECT_EQ(unregister_ftrace_function(&ops), child ? -ENOENT : 0);
  here();
  EXPECT_EQ(hits, child ? 1 : 2);
  EXPECT_EQ(text_differing(), 0);
  if (child) {
    int status;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    pthread_join(caller, NULL);
    pthread_join(interrupter, NULL);
  }
  return failures;
}
