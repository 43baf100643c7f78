// Forks in a callback, and by one thread while others are in callbacks and register ops: each
// child is called back, registers, unregisters, and ends.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void called(void) { KEEP(0); }
static struct Counted always = COUNTED(0), toggled = COUNTED(FTRACE_OPS_FL_RECURSION_SAFE), childs = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
static int over;
static pid_t forked = -1;
UNTRACED static int child(void) {
  alarm(300); // ends a child that hangs
  failures = 0;
  always.calls = 0;
  called();
  EXPECT_EQ(calls_of(&always), 1);
  EXPECT_EQ(register_ftrace_function(&childs.ops), 0);
  called();
  EXPECT_EQ(childs.calls, 1);
  EXPECT_EQ(unregister_ftrace_function(&childs.ops), 0);
  EXPECT_EQ(set_filter(&always.ops, "called", 1), 0);
  called();
  EXPECT_EQ(unregister_ftrace_function(&always.ops), 0);
  EXPECT_EQ(always.calls, 2);
  int result = unregister_ftrace_function(&toggled.ops); // as the other thread has left it
  EXPECT(result == 0 || result == -ENOENT);
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}
UNTRACED static void forks(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  if (forked < 0)
    forked = fork();
}
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    called();
  return unused;
}
UNTRACED static void *toggle(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    EXPECT_EQ(register_ftrace_function(&toggled.ops), 0);
    EXPECT_EQ(unregister_ftrace_function(&toggled.ops), 0);
  }
  return unused;
}
UNTRACED static void wait_for(pid_t pid) {
  int status = 1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

UNTRACED int main(void) {
  struct ftrace_ops forker = {.func = forks};
  pthread_t threads[3];
  EXPECT_EQ(register_ftrace_function(&always.ops), 0);
  EXPECT_EQ(register_ftrace_function(&forker), 0);
  called();
  EXPECT_EQ(unregister_ftrace_function(&forker), 0);
  if (forked == 0)
    _exit(child());
  wait_for(forked);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, i ? run : toggle, NULL);
  for (int i = 0; i < 100 && !failures; i++) {
    pid_t pid = fork();
    if (pid == 0)
      _exit(child());
    wait_for(pid);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(unregister_ftrace_function(&always.ops), 0);
  return failures != 0;
}
