// A program in a PID namespace of its own, where its numbers are others than for the recorder, is recorded whole: nothing is taken from threads that live, though no thread has their numbers here.
// REQUIRES: pid-namespaces
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %nophook record --force -m 64 -p function -l work -o %t.data -- unshare -pf --mount-proc %t 2>&1 | FileCheck %s
// /proc of our namespace shows other numbers than the program knows.
// RUN: env XDG_RUNTIME_DIR=%t.run %nophook record --force -m 64 -p function -l work -o %t.data -- unshare -pf %t 2>&1 | FileCheck %s
// RUN: env XDG_RUNTIME_DIR=%t.run %nophook record --force --overwrite -p function -l work -o %t.data -- unshare -pf --mount-proc %t 2>&1 | FileCheck %s
// CHECK: nophook: 220000 events of 1 function in {{[0-9]+}} threads, 0 events lost
#include <pthread.h>
#include <unistd.h>

__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((no_instrument_function)) static void *run(void *pauses) {
  for (int i = 0; i < 50000; i++) {
    work(i);
    if (pauses && i % 1000 == 0)
      usleep(10000); // the recorder looks for threads that are gone every 20 ms
  }
  return pauses;
}
__attribute__((no_instrument_function)) static void *run_shortly(void *unused) {
  for (int i = 0; i < 100; i++)
    work(i);
  return unused;
}
int main(void) {
  pthread_t threads[4], thread;
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, run, i ? threads : NULL);
  for (int i = 0; i < 200; i++) { // and some that come and go
    pthread_create(&thread, NULL, run_shortly, NULL);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
