// 200,000 ordinary sibling calls at -O2 run traced on a 64 KiB stack.
// RUN: %traced_cc -O2 %s -o %t && %t && %trace -k 32768 -n main -- %t
// RUN: %show --count %t.buf | FileCheck %s
#include "program.h"
#include <pthread.h>

// Not mutual: each one forwards to a function with another signature, through a pointer.
typedef long Step(long n, long sum);
long first(long n, long sum), second(long n, long sum);
Step *volatile next_step[] = {first, second};
NOINLINE long third(long n, long sum, long more) {
  KEEP(n);
  return n > 0 ? next_step[n >> 1 & 1](n - 1, sum + more) : sum;
}
NOINLINE long first(long n, long sum) { return third(n - 1, sum, 1); }
NOINLINE long second(long n, long sum) { return third(n - 1, sum, 3); }
UNTRACED static void *run(void *unused) {
  EXPECT_EQ(first(200001, 0), 199998);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  EXPECT(pthread_create(&thread, &attributes, run, NULL) == 0);
  pthread_join(thread, NULL);
  return failures;
}
// CHECK: thread {{.*}} 1 returned, 200001 tail calls, 0 unwound, 0 orphans, 0 open
// CHECK: first: 1 entry, 1 exit, 50000 tail
// CHECK: third: 100001 tail
