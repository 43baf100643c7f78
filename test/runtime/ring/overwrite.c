// A ring that overwrites keeps the newest events, whole and in order, and counts the others exactly.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function_graph -l work -l rarely -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'buffers[0].lost_events() == 0 and len(buffers[0].rings) == 2' %t.buf
// RUN: %show --python 'all(len(r.events) + r.overwritten == n for r, n in zip(sorted(buffers[0].rings, key=lambda r: r.overwritten), (2, 400000)))' %t.buf
// RUN: %show --python 'all(r.holes == 0 and r.events[-1].kind == "exit" for r in buffers[0].rings)' %t.buf
// RUN: %show --python 'max(len(r.events) for r in buffers[0].rings) > 11 * 8000' %t.buf
#include "program.h"
#include <pthread.h>

NOINLINE static void work(int n) { KEEP(n); }
NOINLINE static void rarely(void) { KEEP(0); }
// It begins when the other has filled everything but what is left to late threads.
UNTRACED static void *late(void *unused) { return rarely(), unused; }
UNTRACED int main(void) {
  for (int i = 0; i < 200000; i++)
    work(i);
  pthread_t thread;
  pthread_create(&thread, NULL, late, NULL);
  pthread_join(thread, NULL);
  return failures;
}
