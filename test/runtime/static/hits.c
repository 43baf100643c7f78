// Behind the prologue, where -pg calls, the tracer hits counts as it does elsewhere, and functions work with their arguments.
// RUN: %gcc -pg -c %s -o %t.o && %recordmcount -q %t.o && %link_kept %t.o -o %t %linked
// RUN: %trace_linked -p '' -- %t
// RUN: %gcc -pg -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked
// RUN: %trace_linked -s static=1 -p '' -- %t
#include "calls.h"

#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

KEPT static long called(long a, long b, long c, long d, long e, long f, long g, long h, long i) { return many(a, b, c, d, e, f, g, h) + i; }

UNTRACED static long hits_of(const char *name) {
  static char text[65536];
  char start[64];
  const long bytes = tracefs_read("trace_stat/function0", text, sizeof text - 1);
  text[bytes > 0 ? bytes : 0] = 0;
  snprintf(start, sizeof start, "\n  %-30s", name);
  const char *at = strstr(text, start);
  return at ? atol(at + strlen(start)) : 0;
}

UNTRACED int main(void) {
  const long result = called(1, 2, 3, 4, 5, 6, 7, 8, 9);
  EXPECT_EQ(tracing_set_tracer("hits"), 0);
  for (int i = 0; i < 20; i++)
    EXPECT_EQ(called(1, 2, 3, 4, 5, 6, 7, 8, 9), result);
  call_all();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(hits_of("called"), 20);
  EXPECT(hits_of("many") > 20);
  return failures;
}
