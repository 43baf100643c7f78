// The tracer's filter is replaced again and again while a thread calls: functions that no version
// has are not in the trace, and one that all have is there at each call.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l wanted -k 65536 -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p function_graph -l wanted -k 65536 -- %t > %t.out && %show --expect %t.out %t.buf
#include "text.h"
#include <ftrace.h>
#include <pthread.h>

NOINLINE static void unwanted(void) { KEEP(0); }
NOINLINE static void wanted(void) { KEEP(0); }
NOINLINE static void sometimes(void) { KEEP(0); }
static int over;
static long rounds;
UNTRACED static void *run(void *unused) {
  for (; !__atomic_load_n(&over, __ATOMIC_RELAXED) && rounds < 300000; rounds++)
    unwanted(), wanted();
  return unused;
}
UNTRACED static int set(const char *filter) {
  return ftrace_set_global_filter((const unsigned char *)filter, (int)strlen(filter), 1);
}

UNTRACED int main(void) {
  pthread_t thread;
  sometimes();
  pthread_create(&thread, NULL, run, NULL);
  for (int i = 0; i < 2000; i++) {
    EXPECT_EQ(set("sometimes wanted"), 0);
    EXPECT_EQ(set("wanted"), 0);
    EXPECT_EQ(set("wante? some*"), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  EXPECT(rounds > 0);
  printf("wanted %ld\n", rounds);
  return failures;
}
