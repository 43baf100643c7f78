// The longest call of a function is kept, and its trace: a snapshot that each longer one replaces; 0 resets.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function_graph -s buffer_mode=overwrite -- %t
// RUN: %show --python '[len(r.events) for b in buffers if b.snapshot == 17 for r in b.rings] == [2 * 6 + 2]' %t.buf
// RUN: %show --python '[b.maps.name(r.events[-1].id) for b in buffers if b.snapshot == 17 for r in b.rings] == ["work"]' %t.buf
// RUN: %nophook latency work %t.buf/*.s17.buf | FileCheck %s
// CHECK: # latency: {{.*}} the longest of 6 (average
#include "tree.h"
#include <time.h>

NOINLINE void inner(void) { KEEP(1); }
NOINLINE void work(long ms) {
  struct timespec pause = {0, ms * 1000000};
  if (ms)
    nanosleep(&pause, NULL);
}

// The clock's ticks are a little coarser than nanoseconds.
UNTRACED static long lround_us(const char *text) { return (long)(atof(text) + 0.5); }

UNTRACED int main(void) {
  EXPECT_TEXT("tracing_max_latency", "0.000\n");
  EXPECT_EQ(echo("work", "set_latency_function", 0), 0);
  EXPECT_TEXT("set_latency_function", "work\n");
  for (int i = 0; i < 3; i++)
    work(0);
  inner(); // is not timed
  work(20);
  double longest = atof(cat("tracing_max_latency"));
  EXPECT(longest >= 20000);
  EXPECT_EQ(echo("3600000000", "tracing_max_latency", 0), 0);
  EXPECT_EQ(lround_us(cat("tracing_max_latency")), 3600000000);
  work(0);
  EXPECT_EQ(lround_us(cat("tracing_max_latency")), 3600000000); // it was not raised
  EXPECT_EQ(echo("0", "tracing_max_latency", 0), 0);
  work(0); // is longer than nothing
  EXPECT(atof(cat("tracing_max_latency")) > 0);
  EXPECT_EQ(echo("", "set_latency_function", 0), 0);
  EXPECT_EQ(echo("0", "tracing_max_latency", 0), 0);
  work(20);
  EXPECT_TEXT("tracing_max_latency", "0.000\n");
  EXPECT_EQ(echo("x", "tracing_max_latency", 0), -EINVAL);
  EXPECT_EQ(echo("3", "tracing_max_latency", 0), 0);
  EXPECT_TEXT("tracing_max_latency", "3.000\n");
  EXPECT_EQ(echo("0", "tracing_max_latency", 0), 0);
  return failures;
}
