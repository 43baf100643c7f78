// Without membarrier a process with one thread registers and unregisters callbacks; with several
// threads both are refused, and registered callbacks stay and go on.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include "refuse.h"
#include <pthread.h>

NOINLINE static void called(void) { KEEP(0); }
static struct Counted first = COUNTED(0), second = COUNTED(0);
static int over;
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    called();
  return unused;
}
UNTRACED static void expect(long of_first, long of_second) {
  called();
  EXPECT_EQ(calls_of(&first), of_first);
  EXPECT_EQ(calls_of(&second), of_second);
}

UNTRACED int main(void) {
  pthread_t thread;
  refuse(SYS_membarrier, 0, 0, ENOSYS);
  for (int i = 0; i < 10; i++) {
    EXPECT_EQ(register_ftrace_function(&first.ops), 0);
    expect(1, 0);
    EXPECT_EQ(register_ftrace_function(&second.ops), 0);
    expect(1, 1);
    EXPECT_EQ(unregister_ftrace_function(&second.ops), 0);
    expect(1, 0);
    EXPECT_EQ(i < 9 ? unregister_ftrace_function(&first.ops) : 0, 0);
  }
  pthread_create(&thread, NULL, run, NULL);
  EXPECT_EQ(register_ftrace_function(&second.ops), -ENOSYS);
  EXPECT_EQ(unregister_ftrace_function(&first.ops), -ENOSYS);
  EXPECT_EQ(first.ops.flags & (FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_ENABLED), FTRACE_OPS_FL_ENABLED);
  EXPECT_EQ(second.ops.flags & (FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_ENABLED), 0);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  calls_of(&first), calls_of(&second);
  expect(1, 0);
  while (unregister_ftrace_function(&first.ops) == -ENOSYS) // the kernel lets the thread go by and by
    sched_yield();
  expect(0, 0);
  EXPECT_EQ(register_ftrace_function(&second.ops), 0);
  expect(0, 1);
  EXPECT_EQ(unregister_ftrace_function(&second.ops), 0);
  return failures;
}
