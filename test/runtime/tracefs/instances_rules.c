// Depth, threshold, graph functions and pids are rules of each instance by itself; the top level has none of them.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*@depth.buf | FileCheck %s --check-prefix=DEPTH
// RUN: %nophook report %t.buf/*@roots.buf | FileCheck %s --check-prefix=ROOTS
// RUN: %nophook report %t.buf/*@hidden.buf | FileCheck %s --check-prefix=HIDDEN
// RUN: %nophook report %t.buf/*@slow.buf | FileCheck %s --check-prefix=SLOW
// RUN: %nophook report %t.buf | FileCheck %s --check-prefix=MAIN
// RUN: %show --python 'len([b for b in buffers if "@nobody" in b.path]) == 1 and not any(r.events for b in buffers if "@nobody" in b.path for r in b.rings)' %t.buf
// DEPTH:      outer();
// DEPTH-NOT:  inner
// DEPTH-NOT:  leaf
// ROOTS-NOT:  outer
// ROOTS:      inner() {
// ROOTS-NEXT: leaf();
// ROOTS-NOT:  outer
// HIDDEN:     outer() {
// HIDDEN-NEXT: slow();
// HIDDEN-NOT: inner
// HIDDEN-NOT: leaf
// SLOW-NOT:   leaf
// SLOW:       slow
// SLOW-NOT:   leaf
// MAIN:       outer() {
// MAIN-NEXT:  inner() {
// MAIN-NEXT:  leaf();
// MAIN:       slow();
#include "tree.h"

#include <time.h>

NOINLINE int leaf(int value) {
  KEEP(value);
  return value + 1;
}
NOINLINE void inner(int value) { KEEP(leaf(value)); }
NOINLINE void slow(void) {
  struct timespec time = {0, 150000000};
  nanosleep(&time, NULL);
}
NOINLINE void outer(int value) {
  inner(value);
  slow();
  KEEP(value);
}

UNTRACED static void make(const char *name, const char *file, const char *text) {
  char path[96];
  snprintf(path, sizeof path, "instances/%s", name);
  EXPECT_EQ(tracefs_mkdir(path), 0);
  snprintf(path, sizeof path, "instances/%s/%s", name, file);
  EXPECT_EQ(echo(text, path, 0), 0);
  snprintf(path, sizeof path, "instances/%s/current_tracer", name);
  EXPECT_EQ(echo("function_graph", path, 0), 0);
}

UNTRACED int main(void) {
  make("depth", "max_graph_depth", "1");
  make("roots", "set_graph_function", "inner");
  make("hidden", "set_graph_notrace", "inner");
  make("slow", "tracing_thresh", "100000");
  make("nobody", "set_ftrace_pid", "1");
  EXPECT_TEXT("instances/depth/max_graph_depth", "1\n");
  EXPECT_TEXT("instances/roots/set_graph_function", "inner\n");
  EXPECT_TEXT("max_graph_depth", "0\n");
  EXPECT_TEXT("set_graph_function", "#### all functions enabled ####\n");
  EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
  outer(1);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  // A new instance in the place of an old one has none of its rules.
  EXPECT_EQ(echo("nop", "instances/depth/current_tracer", 0), 0);
  return failures;
}
