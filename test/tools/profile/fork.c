// A child counts its own calls, in a profile of its own; what the parent has begun or counted is not counted again.
// RUN: %traced_cc %s -o %t && %nophook record -p profile -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook report --by-thread --sort hit %t.data | FileCheck %s --check-prefix=EACH
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((noinline)) static void fork_within(void) {
  if (fork() == 0) {
    for (int i = 0; i < 30; i++)
      work(i);
    return;
  }
  wait(0);
}
int main(void) {
  for (int i = 0; i < 5; i++)
    work(i);
  fork_within();
  return 0;
}
// CHECK-DAG: work 35
// CHECK-DAG: main 1{{ }}
// CHECK-DAG: fork_within 1{{ }}
// EACH-DAG: work 5{{ }}
// EACH-DAG: work 30
