// A thread that stops a tracer and is held up finds, when it goes on, that others have started it and are stopping it again: it does not end their wait for a callback that it has not waited for itself.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "napping.h"
#include "ops.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>

static int stopper, asked, inside, left, is_held, goes_on, started;
UNTRACED static int load(const int *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
UNTRACED static void store(int *at, int value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }
UNTRACED static void await(const int *at, int value) {
  while (load(at) != value)
    sched_yield();
}

NOINLINE static void here(void) { KEEP(0); }
UNTRACED static void stay(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  const int round = load(&asked);
  store(&inside, round);
  await(&left, round);
}
static struct ftrace_ops ops = {.func = stay};
UNTRACED static void *enter_twice(void *unused) {
  for (int round = 1; round <= 2; round++) {
    await(&asked, round);
    here();
    store(&inside, 0);
  }
  return unused;
}
UNTRACED static void *stop(void *unused) {
  store(&stopper, (int)syscall(SYS_gettid));
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  return unused;
}
UNTRACED static void *start(void *unused) {
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  store(&started, 1);
  return unused;
}
UNTRACED static void hold(int number) {
  (void)number;
  store(&is_held, 1);
  await(&goes_on, 1);
}
UNTRACED static void enter(int round) {
  store(&asked, round);
  await(&inside, round);
}
// The thread waits for the callback from then on.
UNTRACED static void stop_in(pthread_t *thread) {
  store(&stopper, 0);
  EXPECT_EQ(pthread_create(thread, NULL, stop, NULL), 0);
  while (strcmp(tracing_get_tracer(), "nop") != 0 || !is_napping(load(&stopper)))
    sched_yield();
}

UNTRACED int main(void) {
  pthread_t caller, first, second, third;
  signal(SIGUSR1, hold);
  EXPECT_EQ(set_filter(&ops, "here", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  pthread_create(&caller, NULL, enter_twice, NULL);
  enter(1);
  stop_in(&first);
  pthread_kill(first, SIGUSR1);
  await(&is_held, 1);
  store(&left, 1);
  await(&inside, 0);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0); // which ends the first removal
  enter(2);
  stop_in(&second);
  store(&goes_on, 1);
  pthread_join(first, NULL);
  pthread_create(&third, NULL, start, NULL);
  usleep(50000);
  EXPECT_EQ(load(&started), 0);
  store(&left, 2);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  pthread_join(caller, NULL);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
