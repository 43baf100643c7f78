// The longest time between two marks of a thread is kept, with its trace; other threads' marks do not end it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function -- %t
// RUN: %show --python 'sorted(len(r.marks) for b in buffers if b.snapshot == 17 for r in b.rings) == [1, 3]' %t.buf
// RUN: %show --python 'sum(len(r.events) for b in buffers if b.snapshot == 17 for r in b.rings) == 1' %t.buf
#include "tree.h"
#include <pthread.h>
#include <time.h>
#include <trace_marker.h>

NOINLINE void work(void) { KEEP(1); }
UNTRACED static void mark(const char *text) { trace_marker_write(text, strlen(text)); }
UNTRACED static void *other(void *unused) { return mark("end\n"), unused; }

UNTRACED int main(void) {
  struct timespec pause = {0, 20000000};
  pthread_t thread;
  EXPECT_EQ(echo("begin", "set_latency_marks", 0), -EINVAL);
  EXPECT_EQ(echo("begin,end", "set_latency_marks", 0), 0);
  EXPECT_TEXT("set_latency_marks", "begin,end\n");
  mark("end"); // ends nothing
  mark("begin\n");
  work();
  nanosleep(&pause, NULL);
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  EXPECT_TEXT("tracing_max_latency", "0.000\n");
  mark("end");
  EXPECT(atof(cat("tracing_max_latency")) >= 20000);
  EXPECT_EQ(echo("", "set_latency_marks", 0), 0);
  work();
  mark("begin");
  mark("end");
  return failures;
}
