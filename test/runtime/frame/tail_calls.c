// 10^7 mutual tail calls under function_graph on a 64 KiB stack: each one an event, no frame (10^8 with NOPHOOK_LONG=1).
// RUN: %traced_cc -O2 %s -o %t && %t
// RUN: %trace -k 65536 -l odd -l even -- %t
#include "drain.h"
#include <limits.h>

static long calls = 10000000;

NOINLINE static long odd(long n, long sum);
NOINLINE static long even(long n, long sum) {
  KEEP(n);
  return n ? odd(n - 1, sum + 1) : sum;
}
NOINLINE static long odd(long n, long sum) {
  KEEP(n);
  return n ? even(n - 1, sum + 2) : sum;
}
UNTRACED static void *run(void *result) {
  *(long *)result = even(calls, 0);
  return NULL;
}

UNTRACED int main(void) {
  if (getenv("NOPHOOK_LONG"))
    calls *= 10;
  int traced = drain_start();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  long sum = 0;
  EXPECT(pthread_create(&thread, &attributes, run, &sum) == 0);
  pthread_join(thread, NULL);
  EXPECT_EQ(sum, calls / 2 * 3L);
  if (traced) {
    drain_finish();
    // What was lost while the drain was behind is no failure, but it is counted.
    EXPECT_EQ(drained_events[NOPHOOK_EVENT_ENTRY], 1);
    EXPECT_EQ(drained_events[NOPHOOK_EVENT_TAIL] + drained_events[NOPHOOK_EVENT_EXIT] + drain_lost(),
              calls + 1);
    EXPECT(drained_events[NOPHOOK_EVENT_TAIL] > 8000); // not all lost
    EXPECT_EQ(drained_holes, 0);
  }
  return failures;
}
