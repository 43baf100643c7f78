// Without a recorder, a thread takes over the ring of a dead thread: 20,000 threads lose nothing.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -l work -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'buffers[0].lost_events() == 0' %t.buf
// RUN: %show --python 'buffers[0].overwritten_events() + sum(len(r.events) for r in buffers[0].rings) == 20000' %t.buf
#include "program.h"
#include <pthread.h>

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED static void *run(void *unused) {
  work(1);
  return unused;
}
UNTRACED int main(void) {
  for (int i = 0; i < 20000; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
  return failures;
}
