// trace_clock changes while threads are traced: the buffer begins again, and in each ring times ascend, whichever clock follows which.
// RUN: %traced_cc -O1 -pthread %s -o %t %linked && %trace_linked -p function -- %t
// RUN: %show --python 'buffers[0].clock == 4' %t.buf
// RUN: %show --python 'all(a.tsc < b.tsc for r in buffers[0].rings for a, b in zip(r.events, r.events[1:]))' %t.buf
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK-NOT: {{early|late}} <-
// CHECK:     [[#%u,FIRST:]]: last <-
// CHECK-NOT: early <-
// CHECK:     [[#FIRST+1]]: last <-
#include "tree.h"

#include <pthread.h>

NOINLINE void early(void) { KEEP(0); }
NOINLINE void busy(void) { KEEP(1); }
NOINLINE void last(void) { KEEP(2); }

static int over;
UNTRACED static void *call(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    busy();
  return unused;
}

UNTRACED int main(void) {
  static const char *const kClocks[] = {"mono", "x86-tsc", "counter", "boot", "local", "mono_raw", "global"};
  EXPECT_EQ(echo("x86-tsc", "trace_clock", 0), 0);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, call, NULL), 0);
  for (int i = 0; i < 35; i++) {
    early();
    EXPECT_EQ(echo(kClocks[i % 7], "trace_clock", 0), 0);
    EXPECT_TEXT("current_tracer", "function\n");
  }
  EXPECT(strstr(cat("trace_clock"), " [global] ") != NULL);
  over = 1;
  pthread_join(thread, NULL);
  early();
  EXPECT_EQ(echo("counter", "trace_clock", 0), 0);
  EXPECT_TEXT("trace_clock", "local global [counter] mono mono_raw boot x86-tsc\n");
  last(), last();
  return failures;
}
