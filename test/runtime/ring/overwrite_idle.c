// A flight recorder keeps the newest events of all threads: what an idle thread has written goes first, but for the sub-buffer that it is in.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t 40000
// RUN: %show --python 'sorted(len(r.events) for r in buffers[0].rings)[1] == 40000 and 5 * 4000 < min(len(r.events) for r in buffers[0].rings) < 6 * 4100' %t.buf
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t 400000
// RUN: %show --python 'min(len(r.events) for r in buffers[0].rings) < 4100 and max(len(r.events) for r in buffers[0].rings) > 14 * 4000' %t.buf
// RUN: %show --python 'buffers[0].lost_events() == 0 and [len(r.events) + r.overwritten for r in buffers[0].rings] == [400000, 400000]' %t.buf
#include "program.h"
#include <pthread.h>
#include <stdlib.h>

NOINLINE static void early(int n) {
  KEEP(n);
}
NOINLINE static void late(int n) {
  KEEP(n);
}
UNTRACED static void *run(void *count) {
  for (long i = 0; i < (long)count; i++)
    late((int)i);
  return NULL;
}
UNTRACED int main(int count, char **arguments) {
  for (int i = 0; i < 400000; i++)
    early(i);
  pthread_t thread;
  pthread_create(&thread, NULL, run, (void *)atol(arguments[count - 1]));
  pthread_join(thread, NULL);
  return failures;
}
