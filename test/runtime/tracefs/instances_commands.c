// Commands of set_ftrace_filter in an instance act on that instance, are listed there, and go with it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK: foo: leaf 1; 1 stacks{{$}}
// CHECK-NOT: main
#include "tree.h"

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }

#define FILTER "instances/foo/set_ftrace_filter"

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_EQ(echo("leaf:traceoff:1", FILTER, 1), 0);
  EXPECT_EQ(echo("other:traceon", FILTER, 1), 0);
  EXPECT_EQ(echo("leaf:stacktrace:1", FILTER, 1), 0);
  EXPECT_TEXT(FILTER, "leaf:traceoff:count=1\nother:traceon:unlimited\nleaf:stacktrace:count=1\n");
  EXPECT_TEXT("set_ftrace_filter", "#### all functions enabled ####\n");
  EXPECT_TEXT("instances/gone/set_ftrace_filter", "#### all functions enabled ####\n");
  EXPECT_EQ(echo("!leaf:traceoff", "set_ftrace_filter", 1), -EINVAL); // the command is not the main one's
  EXPECT_EQ(echo("leaf", FILTER, 1), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(echo("!leaf:traceoff", FILTER, 1), 0);
  leaf();
  EXPECT_TEXT("instances/foo/tracing_on", "1\n");
  EXPECT_EQ(echo("nop", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(echo("leaf:traceoff:1", FILTER, 1), 0);
  leaf();
  EXPECT_TEXT("instances/foo/tracing_on", "0\n");
  EXPECT_TEXT("tracing_on", "1\n");
  other();
  EXPECT_TEXT("instances/foo/tracing_on", "1\n");
  leaf(); // the count is 0
  EXPECT_TEXT("instances/foo/tracing_on", "1\n");
  EXPECT_EQ(echo("!leaf:traceoff", FILTER, 1), 0);
  EXPECT_EQ(echo("!other:traceon", FILTER, 1), 0);
  EXPECT_EQ(echo("!leaf:stacktrace", FILTER, 1), 0);
  EXPECT_TEXT(FILTER, "leaf\n");
  EXPECT_TEXT("enabled_functions", "");

  EXPECT_EQ(echo("leaf:traceoff", "instances/gone/set_ftrace_filter", 1), 0);
  EXPECT(strncmp(cat("enabled_functions"), "leaf (1)", 8) == 0);
  EXPECT_EQ(tracefs_rmdir("instances/gone"), 0);
  EXPECT_TEXT("enabled_functions", "");
  leaf();
  for (int i = 0; i < 200; i++) { // each makes room for another
    EXPECT_EQ(echo("leaf:traceoff:1", i % 2 ? FILTER : "set_ftrace_filter", 1), 0);
    EXPECT_EQ(echo("!leaf:traceoff", i % 2 ? FILTER : "set_ftrace_filter", 1), 0);
  }
  return failures;
}
