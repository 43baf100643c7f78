// current_tracer, tracing_on, trace_marker and ftrace_enabled do what the kernel's do.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK: /* said */
// CHECK-NEXT: leaf();
// CHECK-NOT: {{.}}
#include "tree.h"

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED int main(void) {
  EXPECT_TEXT("current_tracer", "nop\n");
  EXPECT(strstr(cat("README"), "<glob>:mod:<module-name>") != NULL);
  EXPECT(strstr(cat("available_tracers"), "function_graph function nop\n") != NULL);
  EXPECT_EQ(tracefs_write("trace_marker", "early", 5, 0), 0); // the tracer begins again
  EXPECT_EQ(echo("nonsense", "current_tracer", 0), -EINVAL);
  EXPECT(strstr(cat("error_log"), "  Command: nonsense\n           ^\n") != NULL);
  EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
  EXPECT_TEXT("current_tracer", "function_graph\n");
  EXPECT_EQ(tracefs_write("trace_marker", "said", 4, 0), 0);
  EXPECT_EQ(tracefs_write("trace_marker_raw", "abc", 3, 0), -EINVAL); // too short for a number
  leaf();
  EXPECT_TEXT("tracing_on", "1\n");
  EXPECT_EQ(echo("0", "tracing_on", 0), 0);
  EXPECT_TEXT("tracing_on", "0\n");
  EXPECT_EQ(echo("maybe", "tracing_on", 0), -EINVAL);
  EXPECT_TEXT("sys/kernel/ftrace_enabled", "1\n");
  EXPECT_EQ(echo("0", "sys/kernel/ftrace_enabled", 0), 0);
  EXPECT_TEXT("sys/kernel/ftrace_enabled", "0\n");
  leaf(); // its site is a NOP
  EXPECT_EQ(echo("1", "sys/kernel/ftrace_enabled", 0), 0);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  EXPECT_TEXT("current_tracer", "nop\n");
  return failures;
}
