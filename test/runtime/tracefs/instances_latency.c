// Each instance keeps the longest call of its own functions, with a snapshot of its own buffer; the top level keeps its own.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*.s17@foo.buf | FileCheck %s
// CHECK: slow
#include "tree.h"

#include <time.h>

NOINLINE void slow(void) {
  struct timespec time = {0, 3000000};
  nanosleep(&time, NULL);
}
NOINLINE void quick(void) { KEEP(0); }

UNTRACED static double most(const char *path) {
  return strtod(cat(path), NULL);
}

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(echo("slow", "instances/foo/set_latency_function", 0), 0);
  EXPECT_EQ(echo("quick", "set_latency_function", 0), 0);
  EXPECT_EQ(echo("0", "instances/foo/tracing_max_latency", 0), 0);
  slow();
  quick();
  EXPECT(most("instances/foo/tracing_max_latency") >= 3000);
  EXPECT(most("tracing_max_latency") < most("instances/foo/tracing_max_latency"));
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_EQ(echo("slow", "instances/bar/set_latency_function", 0), 0);
  slow();
  EXPECT_EQ(tracefs_rmdir("instances/bar"), 0);
  slow(); // for foo alone
  EXPECT(most("tracing_max_latency") < 3000);
  return failures;
}
