// While threads run, a change of sites begins with a barrier in all of them: what the sites lead to is seen before the sites are.
// RUN: %traced_cc -O1 %s -o %t %linked && env QEMU_STRACE=1 %trace_linked -p '' -- %t 2>&1 | FileCheck %s
#include "program.h"
#include <ftrace.h>
#include <pthread.h>
#include <unistd.h>

static volatile int is_over;
NOINLINE int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
UNTRACED static void *wait(void *unused) {
  while (!is_over)
    usleep(1000);
  return unused;
}

UNTRACED int main(void) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, wait, NULL), 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(write(1, "first\n", 6), 6);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(write(1, "second\n", 7), 7);
  EXPECT_EQ(leaf(1), 2);
  is_over = 1;
  return pthread_join(thread, NULL) || failures;
}
// CHECK: write(1,
// CHECK: mprotect
// CHECK: membarrier(
// CHECK: membarrier(
// CHECK: mprotect
// CHECK: write(1,
