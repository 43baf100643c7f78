// 200 threads come and go, eight at a time: each call of each is there.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 65536 -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace -p function_graph -k 65536 -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %show --python 'len(buffers[0].rings) == 201' %t.buf
// RUN: %show --python 'all(CallTree(r, b.maps).orphans == 0 for b in buffers for r in b.rings)' %t.buf
#include "program.h"
#include <pthread.h>

enum { kThreads = 200, kAtOnce = 8 };
NOINLINE static void work(int n) { KEEP(n); }
NOINLINE static void *body(void *number) {
  for (long i = 0; i < 100 + (long)number; i++)
    work((int)i);
  return number;
}

int main(void) {
  pthread_t threads[kAtOnce];
  long works = 0;
  for (long i = 0; i < kThreads; i += kAtOnce) {
    for (long k = 0; k < kAtOnce; k++, works += 100 + i + k - 1)
      EXPECT_EQ(pthread_create(&threads[k], NULL, body, (void *)(i + k)), 0);
    for (long k = 0; k < kAtOnce; k++)
      pthread_join(threads[k], NULL);
  }
  printf("main 1\nbody %d\nwork %ld\n", kThreads, works);
  return failures;
}
