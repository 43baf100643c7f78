// A flight recorder goes by the time of a sub-buffer's last event, not by when its thread has left it: what threads have written long before they end goes before what another one has written since.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'sorted(len(r.events) for r in buffers[0].rings) == [14, 60000]' %t.buf
// RUN: %show --python 'buffers[0].lost_events() == 0 and buffers[0].overwritten_events() == 10 + 11 + 12 + 13' %t.buf
#include "program.h"
#include <pthread.h>

enum { kThreads = 5 };
static pthread_barrier_t written, over;

NOINLINE static void early(int n) {
  KEEP(n);
}
NOINLINE static void late(int n) {
  KEEP(n);
}
UNTRACED static void *run(void *number) {
  for (long i = 0; i < 10 + (long)number; i++)
    early((int)i);
  pthread_barrier_wait(&written);
  pthread_barrier_wait(&over);
  return NULL;
}
UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    late(i);
}
// 60,000 calls fill 15 of the 16 sub-buffers: one is left to the thread that was the last to write.
UNTRACED int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&written, NULL, 2);
  pthread_barrier_init(&over, NULL, kThreads + 1);
  for (long i = 0; i < kThreads; i++) {
    EXPECT_EQ(pthread_create(&threads[i], NULL, run, (void *)i), 0);
    pthread_barrier_wait(&written);
  }
  call(32000);
  pthread_barrier_wait(&over);
  for (int i = kThreads; i-- > 0;) // in whatever order they end
    pthread_join(threads[i], NULL);
  call(28000);
  return failures;
}
