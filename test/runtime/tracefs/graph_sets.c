// set_graph_function and set_graph_notrace hold at once, and are listed as the kernel lists them.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function_graph -- %t
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK: other();
// CHECK-NOT: other
// CHECK: outer() {
// CHECK-NEXT: inner();
// CHECK-NEXT: }
// CHECK: outer();
// CHECK: other();
// CHECK-NOT: {{.}}
#include "tree.h"

NOINLINE void inner(void) { KEEP(0); }
NOINLINE void outer(void) {
  inner();
  KEEP(1);
}
NOINLINE void other(void) { KEEP(2); }

UNTRACED int main(void) {
  EXPECT_TEXT("set_graph_function", "#### all functions enabled ####\n");
  EXPECT_TEXT("set_graph_notrace", "#### no functions disabled ####\n");
  other();
  EXPECT_EQ(echo("outer", "set_graph_function", 0), 0);
  EXPECT_TEXT("set_graph_function", "outer\n");
  EXPECT_TEXT("current_tracer", "function_graph\n");
  other();
  outer();
  EXPECT_EQ(echo("inn*", "set_graph_notrace", 1), 0);
  EXPECT_TEXT("set_graph_notrace", "inner\n");
  outer();
  EXPECT_EQ(echo("other", "set_graph_function", 1), 0);
  EXPECT_TEXT("set_graph_function", "outer\nother\n");
  EXPECT_EQ(echo("!outer", "set_graph_function", 1), 0);
  EXPECT_TEXT("set_graph_function", "other\n");
  other();
  EXPECT_EQ(echo("nothing", "set_graph_function", 0), -EINVAL);
  EXPECT_EQ(echo("other:traceoff", "set_graph_function", 1), -EINVAL);
  EXPECT_EQ(echo("", "set_graph_function", 0), 0);
  EXPECT_TEXT("set_graph_function", "#### all functions enabled ####\n");
  return failures;
}
