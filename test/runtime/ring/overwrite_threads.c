// A flight recorder without a reader takes what threads that have ended have left, the oldest first: late threads find room, and every event is kept or counted.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'buffers[0].lost_events() == 0' %t.buf
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].overwritten_events() == 1000 * 3 + 100' %t.buf
// RUN: %show --python 'len(buffers[0].rings) == 16 and {"last"} <= {buffers[0].maps.name(e.id) for r in buffers[0].rings for e in r.events}' %t.buf
#include "program.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static pid_t tid;
NOINLINE static void work(int n) { KEEP(n); }
NOINLINE static void last(int n) { KEEP(n); }
UNTRACED static void *body(void *unused) {
  tid = gettid();
  for (int i = 0; i < 3; i++)
    work(i);
  return unused;
}
UNTRACED static void *end(void *unused) {
  for (int i = 0; i < 100; i++)
    last(i);
  return unused;
}
UNTRACED int main(void) {
  pthread_t thread;
  for (int i = 0; i < 1000; i++) {
    EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
    pthread_join(thread, NULL);
    while (tgkill(getpid(), tid, 0) == 0) // the kernel may be a little later
      usleep(100);
  }
  EXPECT_EQ(pthread_create(&thread, NULL, end, NULL), 0);
  pthread_join(thread, NULL);
  return failures;
}
