// Counts survive the process: of a program that kills itself, all calls that have begun; of a thousand threads, each call once.
// RUN: %traced_cc %s -o %t && %exits 137 %nophook record -p profile -o %t.data -- %t && %nophook report %t.data | FileCheck %s
#include <pthread.h>
#include <signal.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
static void *run(void *unused) {
  for (int i = 0; i < 100; i++)
    work(i);
  return unused;
}
int main(void) {
  for (int i = 0; i < 250; i++) {
    pthread_t thread[4];
    for (int k = 0; k < 4; k++)
      pthread_create(&thread[k], 0, run, 0);
    for (int k = 0; k < 4; k++)
      pthread_join(thread[k], 0);
  }
  for (int i = 0; i < 7; i++)
    work(i);
  raise(SIGKILL);
}
// CHECK-DAG: work 100007
// CHECK-DAG: run 1000
// CHECK-DAG: main 1 0.000 us
