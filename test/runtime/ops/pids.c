// PID: only in the threads of ftrace_set_pids, which may be changed at any time without losing a
// call of a thread that all the sets have.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#include <unistd.h>

NOINLINE void alpha(void) { KEEP(0); }
static struct Counted filtered = COUNTED(FTRACE_OPS_FL_PID), plain = COUNTED(0), bare = COUNTED(FTRACE_OPS_FL_PID | FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS);
static int over, other;
static long others_calls;
UNTRACED static void expect(int is_seen) {
  alpha();
  EXPECT_EQ(calls_of(&filtered), is_seen);
  EXPECT_EQ(calls_of(&bare), is_seen);
  EXPECT_EQ(calls_of(&plain), 1);
}
UNTRACED static void *run(void *unused) {
  __atomic_store_n(&other, gettid(), __ATOMIC_RELEASE);
  for (; !__atomic_load_n(&over, __ATOMIC_ACQUIRE); others_calls++)
    alpha();
  return unused;
}

UNTRACED int main(void) {
  int pids[65] = {0}, me = gettid();
  pthread_t thread;
  struct Counted *all[] = {&filtered, &plain, &bare};
  EXPECT_EQ(ftrace_set_pids(pids, 65), -EINVAL);
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(register_ftrace_function(&all[i]->ops), 0);
  expect(1);
  pids[0] = me + 1;
  EXPECT_EQ(ftrace_set_pids(pids, 1), 0);
  expect(0);
  EXPECT_EQ(ftrace_set_pids(pids, 65), -EINVAL);
  expect(0);
  pids[63] = me;
  EXPECT_EQ(ftrace_set_pids(pids, 64), 0);
  expect(1);
  EXPECT_EQ(ftrace_set_pids(pids, 63), 0);
  expect(0);
  EXPECT_EQ(ftrace_set_pids(NULL, 0), 0);
  expect(1);
  EXPECT_EQ(filtered.ops.missed, 0);

  pthread_create(&thread, NULL, run, NULL);
  while (!__atomic_load_n(&other, __ATOMIC_ACQUIRE))
    sched_yield();
  for (int i = 0; i < 20000; i++) { // it is in front or behind
    for (int k = 0; k < 64; k++)
      pids[k] = k % 63 || k == (i / 2 % 2 ? 0 : 63) ? 1 : other;
    EXPECT_EQ(ftrace_set_pids(pids, 64), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  EXPECT_EQ(filtered.calls, others_calls);
  EXPECT_EQ(plain.calls, others_calls);
  EXPECT_EQ(unregister_ftrace_function(&filtered.ops), 0);
  return failures;
}
