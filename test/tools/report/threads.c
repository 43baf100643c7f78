// --tid and --pid choose threads and processes; they combine with other filters and with sums.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t > %t.tids
// RUN: sed -n "s/tid //p" %t.tids | xargs -I{} %nophook report --json --tid {} %t.data | FileCheck %s --check-prefix=TID --implicit-check-not=main --implicit-check-not=child
// RUN: sed -n "s/pid //p" %t.tids | xargs -I{} %nophook report --top --pid {} %t.data | FileCheck %s --check-prefix=PID --implicit-check-not=thread
// RUN: %exits 1 %nophook report --top --tid 1 %t.data 2>/dev/null | FileCheck %s --check-prefix=NONE --implicit-check-not=main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) void child(void) { leaf(1); leaf(2); leaf(3); }
void *thread(void *unused) { printf("tid %d\n", gettid()); leaf(7); return unused; }
int main(void) {
  pthread_t other;
  if (pthread_create(&other, 0, thread, 0) || pthread_join(other, 0)) return 1;
  fflush(stdout);
  if (!fork()) { child(); _exit(0); }
  int status = 0;
  printf("pid %d\n", wait(&status));
  return status;
}
// TID: "function":"thread","depth":0
// TID-NEXT: "function":"leaf","depth":1
// TID-NEXT: "function":"thread"
// PID-DAG: 3 leaf
// PID-DAG: 1 child
// PID-DAG: {{ }}0 main
// NONE: Function
// NONE-NOT: {{.}}
