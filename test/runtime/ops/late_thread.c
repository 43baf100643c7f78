// A thread that is stopped at each instruction between its site and its callbacks, while the ops drops
// the function, calls the callbacks that are wanted by then: a tracer beside the ops loses no call.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -- %t function > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p '' -- %t function_graph > %t.out && %show --expect %t.out %t.buf
#include "ops.h"
#include "step.h"
#include <pthread.h>

static struct Counted counted = COUNTED(FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE);
static int wanted, asked, answered, over;
static long calls, seen;
NOINLINE static void called(void) { KEEP(0); }
NOINLINE static void other(void) { KEEP(0); }
UNTRACED static void *drop(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
    if (__atomic_load_n(&asked, __ATOMIC_ACQUIRE) == answered)
      continue;
    EXPECT_EQ(set_filter(&counted.ops, "other", 1), 0);
    __atomic_store_n(&answered, answered + 1, __ATOMIC_RELEASE);
  }
  return unused;
}
UNTRACED static void visit(ucontext_t *context, long step) {
  (void)context;
  if (step != wanted)
    return;
  __atomic_store_n(&asked, asked + 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&answered, __ATOMIC_ACQUIRE) != asked)
    ;
}
UNTRACED NOINLINE static void stepped(void) {
  step_count = 0;
  STEP_BEGIN();
  called();
  STEP_END();
  calls++;
}

UNTRACED int main(int count, char **arguments) {
  pthread_t thread;
  EXPECT_EQ(count, 2);
  EXPECT_EQ(set_filter(&counted.ops, "called", 1), 0);
  EXPECT_EQ(tracing_set_tracer(arguments[1]), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  pthread_create(&thread, NULL, drop, NULL);
  step_with(visit);
  // Old sets are given back in even numbers, after a grace period: not while the thread is stopped.
  EXPECT_EQ(set_filter(&counted.ops, "other", 1), 0);
  do {
    EXPECT_EQ(set_filter(&counted.ops, "called", 1), 0);
    counted.calls = 0;
    int before = asked;
    stepped();
    EXPECT(counted.calls <= 1);
    seen += counted.calls;
    if (asked == before)
      break; // the call has fewer instructions than this
  } while (++wanted < 2000);
  EXPECT(wanted > 30 && wanted < 2000 && seen > 10 && seen < calls - 10);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  other();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  printf("called %ld\n", calls);
  return failures != 0;
}
