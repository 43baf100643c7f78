// An instance has functions, a tracer, a switch, marks and a buffer of its own; and the main one
// keeps its own beside it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK:      bar: second 20; marks to bar
// CHECK-NEXT: foo: first 10; marks to foo
// CHECK-NEXT: main: first 10, second 10; marks to main
#include "tree.h"

NOINLINE void first(void) { KEEP(0); }
NOINLINE void second(void) { KEEP(0); }

UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    first(), second();
}

UNTRACED static int mark(const char *path, const char *text) {
  return tracefs_write(path, text, strlen(text), 0);
}

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_TEXT("instances/foo/current_tracer", "nop\n");
  EXPECT_TEXT("instances/foo/available_tracers", "hits profile function_graph function nop\n");
  EXPECT_TEXT("instances/foo/set_ftrace_filter", "#### all functions enabled ####\n");
  EXPECT_EQ(echo("first", "instances/foo/set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("first", "instances/bar/set_ftrace_notrace", 0), 0);
  EXPECT_TEXT("instances/bar/set_ftrace_notrace", "first\n");
  EXPECT_TEXT("set_ftrace_filter", "#### all functions enabled ####\n");
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(echo("function_graph", "instances/bar/current_tracer", 0), 0);
  EXPECT_TEXT("current_tracer", "nop\n");
  call(10);
  EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
  EXPECT_EQ(echo("0", "instances/foo/tracing_on", 0), 0);
  EXPECT_TEXT("tracing_on", "1\n");
  call(10); // main and bar
  EXPECT_EQ(echo("1", "instances/foo/tracing_on", 0), 0);
  EXPECT_EQ(echo("nop", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(echo("0", "tracing_on", 0), 0);
  EXPECT_EQ(echo("nop", "instances/bar/current_tracer", 0), 0);
  EXPECT_EQ(mark("instances/foo/trace_marker", "to foo"), 0);
  EXPECT_EQ(mark("instances/bar/trace_marker", "to bar"), 0);
  EXPECT_EQ(echo("1", "tracing_on", 0), 0);
  EXPECT_EQ(mark("trace_marker", "to main"), 0);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  EXPECT_EQ(strcmp(cat("enabled_functions"), ""), 0);
  return failures;
}
