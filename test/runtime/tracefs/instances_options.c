// Each instance has its own options for the recorded parts of a call: arguments, results, stacks.
// RUN: %traced_cc -O1 -fno-omit-frame-pointer %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*@args.buf | FileCheck %s --check-prefix=ARGS
// RUN: %nophook report %t.buf/*@graph.buf | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook report %t.buf/*@once.buf | FileCheck %s --check-prefix=ONCE
// RUN: %nophook report %t.buf | FileCheck %s --check-prefix=MAIN
// ARGS:      outer(value=1) <-main
// ARGS-NEXT: leaf(value=1) <-outer
// ARGS-NEXT: outer <-main
// ARGS-NEXT: <stack trace>
// ARGS-NEXT: => outer
// ARGS:      leaf <-outer
// ARGS-NEXT: <stack trace>
// ARGS-NEXT: => leaf
// ARGS-NEXT: => outer
// GRAPH:      leaf(value=1); /* ret=2 */
// GRAPH-NEXT: leaf(); /* ret=3 */
// ONCE:      leaf <-outer
// ONCE-NEXT: leaf <-outer (repeats: 1
// ONCE-NEXT: leaf <-main
// ONCE-NOT:  leaf
// MAIN:      outer <-main
// MAIN-NEXT: leaf <-outer
// MAIN-NEXT: outer <-main
// MAIN-NEXT: leaf <-outer
// MAIN-NOT:  stack
#include "tree.h"

NOINLINE int leaf(int value) {
  KEEP(value);
  return value + 1;
}
NOINLINE void outer(int value) { KEEP(leaf(value)); }

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/args"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/graph"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/once"), 0);
  EXPECT_EQ(echo("func-no-repeats", "instances/once/trace_options", 0), 0);
  EXPECT_EQ(echo("leaf", "instances/once/set_ftrace_filter", 0), 0);
  EXPECT_TEXT("instances/args/options/func-args", "0\n");
  EXPECT_EQ(echo("1", "instances/args/options/func-args", 0), 0);
  EXPECT_EQ(echo("funcgraph-args", "instances/graph/trace_options", 0), 0);
  EXPECT_EQ(echo("funcgraph-retval", "instances/graph/trace_options", 0), 0);
  EXPECT_TEXT("options/func-args", "0\n");
  EXPECT_TEXT("instances/graph/options/func-args", "0\n");
  EXPECT_TEXT("instances/args/options/func-args", "1\n");
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  EXPECT_EQ(echo("function", "instances/args/current_tracer", 0), 0);
  EXPECT_EQ(echo("leaf", "instances/graph/set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("function_graph", "instances/graph/current_tracer", 0), 0);
  EXPECT_EQ(echo("function", "instances/once/current_tracer", 0), 0);
  outer(1);
  EXPECT_EQ(echo("nofunc-args", "instances/args/trace_options", 0), 0); // while it runs
  EXPECT_EQ(echo("func_stack_trace", "instances/args/trace_options", 0), 0);
  EXPECT_EQ(echo("nofuncgraph-args", "instances/graph/trace_options", 0), 0);
  outer(2);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  leaf(3);
  return failures;
}
