// An instance in the place of one that was removed has none of its rules, options, filters and latencies.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*@new.buf | FileCheck %s
// CHECK:      outer() {
// CHECK-NEXT: leaf();
#include "tree.h"

NOINLINE int leaf(int value) {
  KEEP(value);
  return value + 1;
}
NOINLINE void outer(int value) { KEEP(leaf(value)); }

UNTRACED int main(void) {
  static const char *const changed[][2] = {
      {"max_graph_depth", "1"},      {"set_graph_function", "leaf"},   {"set_graph_notrace", "leaf"},
      {"set_ftrace_filter", "leaf"}, {"tracing_thresh", "5"},          {"set_ftrace_pid", "1"},
      {"set_latency_function", "outer"}, {"options/func-no-repeats", "1"}, {"tracing_max_latency", "7"},
      {"tracing_on", "0"},
  };
  enum { COUNT = sizeof changed / sizeof *changed };
  char before[COUNT][64], path[96];
  EXPECT_EQ(tracefs_mkdir("instances/old"), 0);
  for (int i = 0; i < COUNT; i++) {
    snprintf(path, sizeof path, "instances/old/%s", changed[i][0]);
    snprintf(before[i], sizeof before[i], "%s", cat(path));
    EXPECT_EQ(echo(changed[i][1], path, 0), 0);
  }
  EXPECT_EQ(echo("function_graph", "instances/old/current_tracer", 0), 0);
  outer(1);
  EXPECT_EQ(tracefs_rmdir("instances/old"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/new"), 0);
  for (int i = 0; i < COUNT; i++) {
    snprintf(path, sizeof path, "instances/new/%s", changed[i][0]);
    EXPECT_TEXT(path, before[i]);
  }
  EXPECT_EQ(echo("function_graph", "instances/new/current_tracer", 0), 0);
  outer(2);
  return failures;
}
