// Where all blocks of the profiler are taken, a thread is not profiled; after others have ended, it is.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p profile -k 1024 -- %t
#include "ops.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

enum { kThreads = 300, kCalls = 100000 }; // 1024 KiB have room for 256 blocks
NOINLINE void in_crowd(void) { KEEP(0); }
NOINLINE void late(void) { KEEP(0); }
static pthread_barrier_t all_there, may_end;
UNTRACED static void *live(void *unused) {
  in_crowd();
  pthread_barrier_wait(&all_there);
  pthread_barrier_wait(&may_end);
  return unused;
}
UNTRACED static void *call_late(void *unused) {
  for (int i = 0; i < kCalls; i++)
    late();
  return unused;
}
UNTRACED static long hits_of_function(const char *name) {
  static char text[1 << 16];
  EXPECT(tracefs_read("trace_stat/function0", text, sizeof text) > 0);
  const char *at = strstr(text, name);
  return at ? atol(at + strlen(name)) : 0;
}
UNTRACED int main(void) {
  pthread_t threads[kThreads], last;
  pthread_barrier_init(&all_there, NULL, kThreads + 1);
  pthread_barrier_init(&may_end, NULL, kThreads + 1);
  for (int i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, live, NULL), 0);
  pthread_barrier_wait(&all_there);
  pthread_create(&last, NULL, call_late, NULL);
  pthread_join(last, NULL);
  EXPECT_EQ(hits_of_function("late"), 0);
  long crowd = hits_of_function("in_crowd");
  EXPECT(crowd > 0 && crowd < kThreads);
  pthread_barrier_wait(&may_end);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  pthread_create(&last, NULL, call_late, NULL);
  pthread_join(last, NULL);
  EXPECT(hits_of_function("late") >= kCalls - 1024);
  return failures;
}
