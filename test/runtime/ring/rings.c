// More threads than there are rings, one after the other: the rings of those that are gone are used again, and each event is kept or counted as lost.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -l work -k 1024 -- %t
// RUN: %show --python 'len(buffers[0].rings) == 16' %t.buf
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) == 16' %t.buf
// RUN: %show --python 'buffers[0].all_lost_events() == 8400 - 16' %t.buf
#include "program.h"
#include <pthread.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void *body(void *unused) { return work(), unused; }
UNTRACED int main(void) {
  for (int i = 0; i < 8400; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
    pthread_join(thread, NULL);
  }
  return failures;
}
