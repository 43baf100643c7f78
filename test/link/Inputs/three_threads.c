// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One main, three threads with a thousand leaves each, for the tests under sanitizers.
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
