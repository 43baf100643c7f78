// More threads than there are rings: the events of those without one are counted as lost.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -l work -k 1024 -- %t
// RUN: %show --python 'buffers[0].lost > 0 and len(buffers[0].rings) == 16' %t.buf
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) == 16' %t.buf
// RUN: %show --python 'buffers[0].lost == 8400 - buffers[0].ring_count' %t.buf
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
