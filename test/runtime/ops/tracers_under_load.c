// Callbacks come and go on functions that a tracer has while threads run through them: the tracer
// loses no call and doubles none.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -k 262144 -- %t function > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p '' -k 262144 -- %t function_graph > %t.out && %show --expect %t.out %t.buf
#include "ops.h"
#include <pthread.h>

enum { kThreads = 4 };
static int calls = 60000;
static int running = kThreads;
NOINLINE static void called(void) { KEEP(0); }
UNTRACED static void *run(void *unused) {
  for (int i = 0; i < calls; i++) {
    called();
    if (i % 64 == 0)
      sched_yield();
  }
  __atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
  return unused;
}

UNTRACED int main(int count, char **arguments) {
  if (getenv("NOPHOOK_LONG"))
    calls *= 5;
  static struct Counted counted = COUNTED(0);
  pthread_t threads[kThreads];
  EXPECT_EQ(count, 2);
  EXPECT_EQ(tracing_set_tracer(arguments[1]), 0);
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  while (__atomic_load_n(&running, __ATOMIC_ACQUIRE)) {
    EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
    EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  }
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  EXPECT(counted.calls > 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  printf("called %d\n", kThreads * calls);
  return failures != 0;
}
