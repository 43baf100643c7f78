// Threads come and go by the thousand, more than there are tables of their rings: each call is in
// the instance's buffer, or counted as lost.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].lost + sum(buffers[0]._counts(i)[2] for i in range(buffers[0].ring_count)) == 9000' %t.buf
#include "tree.h"

#include <pthread.h>

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED static void *run(void *unused) {
  leaf();
  return unused;
}

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  for (int i = 0; i < 9000; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, run, NULL), 0);
    pthread_join(thread, NULL);
  }
  return failures;
}
