// Threads and fork children all come into the recording, and each event of each.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -m 16 -l work -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// 10 rounds of 20 threads that end, then 10 children.
// CHECK: nophook: 420000 events of 1 function in 210 threads, 0 events lost
// TOP: 210000 work
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
static void *thousand(void *unused) {
  for (int i = 0; i < 1000; i++)
    work(i);
  return unused;
}
int main(void) {
  for (int round = 0; round < 10; round++) {
    pthread_t threads[20];
    for (int i = 0; i < 20; i++)
      pthread_create(&threads[i], 0, thousand, 0);
    for (int i = 0; i < 20; i++)
      pthread_join(threads[i], 0);
  }
  for (int i = 0; i < 10; i++)
    if (fork() == 0) {
      thousand(0);
      _exit(0);
    }
  while (wait(0) > 0) {
  }
  return 0;
}
