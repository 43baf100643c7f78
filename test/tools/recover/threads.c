// 10,000 threads that come and go, a hundred at a time, in memory for 256: each is recorded by itself and whole.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -m 16 --wait 10000 -l 'in_thread*' -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook report --json %t.data > %t.json
// RUN: %python %S/Inputs/by_thread.py %t.json 10000
// CHECK: nophook: 60000 events of 2 functions in 10000 threads, 0 events lost
#include <pthread.h>
__attribute__((noinline)) static void in_thread_inner(int n) { asm volatile("" : "+r"(n)); }
__attribute__((noinline)) static void in_thread(int n) {
  in_thread_inner(n);
  in_thread_inner(n);
  asm volatile(""); // no tail call
}
static void *body(void *unused) { return in_thread(1), unused; }
int main(void) {
  for (int i = 0; i < 100; i++) {
    pthread_t threads[100];
    for (int k = 0; k < 100; k++)
      if (pthread_create(&threads[k], 0, body, 0))
        return 1;
    for (int k = 0; k < 100; k++)
      pthread_join(threads[k], 0);
  }
  return 0;
}
