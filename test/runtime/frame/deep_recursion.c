// A recursion of 100,000 frames moves the stack base again and again; every call is matched.
// RUN: %traced_cc -O0 %s -o %t && %alike --must down -- %t
// RUN: %show %t.buf.function_graph | FileCheck %s
// RUN: %show --python 'max(r.controls["stack"] for r in buffers[0].rings) > 100' %t.buf.function_graph
#include "program.h"
#include <pthread.h>

NOINLINE static long down(int n) { return n ? down(n - 1) + 1 : 0; }
static void *body(void *unused) {
  EXPECT_EQ(down(100000), 100000);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  EXPECT_EQ(pthread_create(&thread, &attributes, body, NULL), 0);
  pthread_join(thread, NULL);
  return failures;
}
// CHECK: 100002 returned, 0 tail calls, 0 unwound, 0 orphans, 0 open
