// A static and a static-PIE program with libnophook.a trace themselves, CPU numbers included.
// RUN: %traced_cc -O1 -static %s -o %t %static
// RUN: %trace_linked -p function -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p function_graph -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %show --python 'all(e.cpu < 4096 for b in buffers for r in b.rings for e in r.events)' %t.buf
// RUN: %traced_cc -O1 -static-pie -fPIE %s -o %t %static
// RUN: %trace_linked -p function -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p function_graph -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %t > %t.untraced && diff %t.untraced %t.out
#include "program.h"
#include <pthread.h>

NOINLINE static void work(int n) { KEEP(n); }
NOINLINE static void *body(void *unused) {
  for (int i = 0; i < 1000; i++)
    work(i);
  return unused;
}
int main(void) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
  body(NULL);
  pthread_join(thread, NULL);
  printf("main 1\nbody 2\nwork 2000\n");
  return failures;
}
