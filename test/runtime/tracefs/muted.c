// The site of a function that auto_notrace leaves out becomes a NOP when a setting is written, or by itself in a process that serves; another rate takes it back.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t && %show --count %t.buf | FileCheck %s
// RUN: %trace_linked -p '' -s serve -- %t serve
// CHECK: busy: 5 function
// CHECK: rare: 1 function
#include "tree.h"

#include <unistd.h>

NOINLINE void busy(int n) { KEEP(n); }
NOINLINE void rare(int n) { KEEP(n); }

UNTRACED static void call_often(void) {
  for (int i = 0; i < 1000; i++)
    busy(i);
}
UNTRACED static int is_on(const char *name) { return strstr(cat("enabled_functions"), name) != NULL; }

UNTRACED int main(int argc, char **argv) {
  (void)argv;
  EXPECT_EQ(echo("busy rare", "set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("10", "auto_notrace", 0), 0);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  call_often();
  EXPECT(is_on("busy"));
  if (argc > 1) { // the time limit of the test ends this
    while (is_on("busy"))
      usleep(10000);
    EXPECT(is_on("rare"));
    return failures;
  }
  EXPECT_EQ(echo("0", "max_graph_depth", 0), 0);
  EXPECT(!is_on("busy"));
  // A function that hides what it calls is to be seen. The profiler counts all calls.
  EXPECT_EQ(echo("busy", "set_graph_notrace", 0), 0);
  EXPECT(is_on("busy"));
  EXPECT_EQ(echo("", "set_graph_notrace", 0), 0);
  EXPECT(!is_on("busy"));
  EXPECT_EQ(echo("hits", "current_tracer", 0), 0);
  EXPECT(is_on("busy"));
  EXPECT_EQ(echo("function", "current_tracer", 0), 0); // begins with an empty buffer
  EXPECT(!is_on("busy"));
  busy(0);
  EXPECT_EQ(echo("1000000", "auto_notrace", 0), 0);
  EXPECT(is_on("busy"));
  for (int i = 0; i < 5; i++)
    busy(i); // 5
  EXPECT_EQ(echo("0", "auto_notrace", 0), 0);
  EXPECT(is_on("busy"));
  rare(0);
  return failures;
}
