// An instance that runs without options and rules obeys each one from the next call on: arguments, results, stacks, repeats, depth, threads, tracing_on.
// RUN: %traced_cc -O1 -fno-omit-frame-pointer %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*@calls.buf | FileCheck %s --check-prefix=CALLS
// RUN: %nophook report %t.buf/*@graph.buf | FileCheck %s --check-prefix=GRAPH
// CALLS:      outer <-main
// CALLS-NEXT: leaf <-outer
// CALLS-NEXT: outer(value=2) <-main
// CALLS-NEXT: leaf(value=2) <-outer
// CALLS-NEXT: outer <-main
// CALLS-NEXT: <stack trace>
// CALLS-NEXT: => outer
// CALLS:      leaf <-outer
// CALLS-NEXT: <stack trace>
// CALLS-NEXT: => leaf
// CALLS-NEXT: => outer
// CALLS:      leaf <-main
// CALLS-NEXT: leaf <-main (repeats: 1
// CALLS-NEXT: outer <-main
// CALLS-NEXT: leaf <-outer
// CALLS-NEXT: outer <-main
// CALLS-NEXT: leaf <-outer
// CALLS-NOT:  {{outer|leaf}}
// GRAPH:      outer() {
// GRAPH-NEXT: leaf();
// GRAPH-NEXT: }
// GRAPH-NEXT: outer(value=2) {
// GRAPH-NEXT: leaf(value=2);
// GRAPH-NEXT: }
// GRAPH-NEXT: outer() {
// GRAPH-NEXT: leaf(); /* ret=4 */
// GRAPH-NEXT: }
// GRAPH-NEXT: outer();
// GRAPH-NEXT: outer() {
// GRAPH-NEXT: leaf();
// GRAPH-NEXT: }
// GRAPH-NOT:  {{outer|leaf}}
#include "tree.h"

NOINLINE int leaf(int value) {
  KEEP(value);
  return value + 1;
}
NOINLINE void outer(int value) { KEEP(leaf(value)); }

UNTRACED static void set(const char *array, const char *file, const char *text) {
  char path[96];
  snprintf(path, sizeof path, "instances/%s/%s", array, file);
  EXPECT_EQ(echo(text, path, 0), 0);
}
UNTRACED static void both(const char *file, const char *text) {
  set("calls", file, text);
  set("graph", file, text);
}

UNTRACED int main(void) {
  char others[16];
  snprintf(others, sizeof others, "%d", getpid());
  EXPECT_EQ(tracefs_mkdir("instances/calls"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/graph"), 0);
  both("set_ftrace_filter", "leaf outer");
  set("calls", "current_tracer", "function");
  set("graph", "current_tracer", "function_graph");
  outer(1);
  set("calls", "options/func-args", "1");
  set("graph", "options/funcgraph-args", "1");
  outer(2);
  set("calls", "options/func-args", "0");
  set("graph", "options/funcgraph-args", "0");
  set("calls", "options/func_stack_trace", "1");
  set("graph", "options/funcgraph-retval", "1");
  outer(3);
  set("calls", "options/func_stack_trace", "0");
  set("graph", "options/funcgraph-retval", "0");
  set("calls", "options/func-no-repeats", "1");
  set("graph", "max_graph_depth", "1");
  set("graph", "tracing_on", "0");
  for (int i = 0; i < 2; i++)
    leaf(4);
  outer(4); // the repeat is recorded before it
  set("graph", "tracing_on", "1");
  set("calls", "tracing_on", "0");
  outer(4);
  set("calls", "tracing_on", "1");
  set("graph", "max_graph_depth", "0");
  outer(5);
  both("set_ftrace_notrace_pid", others);
  outer(6);
  return failures;
}
