// Four threads call traced functions while tracers are turned on and off and changed: each call
// returns what it should, and each function is traced.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -k 65536 -s buffer_mode=overwrite -- %t
#include "program.h"
#include <ftrace.h>
#include <pthread.h>

enum { kThreads = 4, kChanges = 60 };
static volatile int is_over;

NOINLINE static long leaf(long n) { return n + 1; }
NOINLINE static long on_stack(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
  return a + b + c + d + e + f + g + h + i * leaf(j);
}
NOINLINE static long tail(long n) { return leaf(n * 2); }

UNTRACED static void *call(void *argument) {
  long calls = 0, n = (long)argument;
  for (; !is_over; calls++, n++) {
    EXPECT_EQ(leaf(n), n + 1);
    EXPECT_EQ(on_stack(1, 2, 3, 4, 5, 6, 7, 8, 9, n), 36 + 9 * (n + 1));
    EXPECT_EQ(tail(n), 2 * n + 1);
  }
  return (void *)calls;
}

UNTRACED int main(void) {
  static const char *const kTracers[] = {"function", "function_graph", "nop", "profile", "hits", "function_graph", "nop"};
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, call, (void *)(i * 1000)), 0);
  for (int i = 0; i < kChanges; i++)
    EXPECT_EQ(tracing_set_tracer(kTracers[i % 7]), 0);
  is_over = 1;
  for (int i = 0; i < kThreads; i++) {
    void *calls;
    EXPECT_EQ(pthread_join(threads[i], &calls), 0);
    EXPECT(calls);
  }
  return failures;
}
