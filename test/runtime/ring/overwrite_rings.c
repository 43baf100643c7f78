// In a flight recorder, the ring of an ended thread is another thread's as soon as its last sub-buffer is overwritten: threads that come and go take few rings.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'max(ring.index for ring in buffers[0].rings) < 100 and len(buffers[0].rings) == 16' %t.buf
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].overwritten_events() == 300 * 7 and not buffers[0].all_lost_events()' %t.buf
#include "program.h"
#include <pthread.h>

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED static void *body(void *unused) {
  for (int i = 0; i < 7; i++)
    work(i);
  return unused;
}
UNTRACED int main(void) {
  pthread_t thread;
  for (int i = 0; i < 300; i++) {
    EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
    pthread_join(thread, NULL);
  }
  return failures;
}
