// A program under UndefinedBehaviorSanitizer is traced with every call counted, and nothing is reported.
// REQUIRES: ubsan
// RUN: %clang -O1 -g -pthread -fsanitize=undefined -fno-sanitize-recover=all %instrument %s %tables -fuse-ld=lld -o %t && %t
// RUN: %nophook record -p function -o %t.function -- %t 2>&1 | FileCheck %s --check-prefix=FUNCTION --implicit-check-not=Sanitizer
// RUN: %nophook record -p function_graph -o %t.graph -- %t 2>&1 | FileCheck %s --check-prefix=GRAPH --implicit-check-not=Sanitizer
// One main, three threads with a thousand leaves each; the graph has an exit for each entry.
// FUNCTION: nophook: 3004 events of 3 functions in 4 threads, 0 events lost
// GRAPH: nophook: 6008 events of 3 functions in 4 threads, 0 events lost
#include <pthread.h>
#include <stdlib.h>
__attribute__((noinline)) static int leaf(int *at, int i) { return __atomic_add_fetch(at, i, __ATOMIC_RELAXED); }
static int sum;
static void *thread(void *argument) {
  int *mine = calloc(1, sizeof *mine);
  for (int i = 0; i < 1000; i++)
    *mine += leaf(&sum, i & 1) > 0;
  free(mine);
  return argument;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return sum != 1500;
}
