// trace_options and options/*: a name or no and a name, 0 or 1; the recorded parts change at once: argument layouts change while tracing.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function -- %t
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK: add(a=1, b=2)
// CHECK: add <-
// CHECK: add(a=5, b=6)
#include "tree.h"

NOINLINE void add(int a, int b) { KEEP(a + b); }

UNTRACED int main(void) {
  EXPECT(strstr(cat("trace_options"), "print-parent\nnosym-offset\n") == cat("trace_options"));
  EXPECT(strstr(cat("trace_options"), "\nnofunc-args\n") != NULL);
  EXPECT_TEXT("options/func-args", "0\n");
  EXPECT_EQ(echo("1", "options/func-args", 0), 0);
  EXPECT_TEXT("options/func-args", "1\n");
  EXPECT_TEXT("current_tracer", "function\n");
  add(1, 2);
  EXPECT_EQ(echo("nofunc-args", "trace_options", 0), 0);
  EXPECT_TEXT("options/func-args", "0\n");
  add(3, 4);
  EXPECT_EQ(echo("func-args", "trace_options", 0), 0);
  add(5, 6);
  // An option that only changes the text is kept for readers that make the text.
  EXPECT_EQ(echo("sym-offset", "trace_options", 0), 0);
  EXPECT_TEXT("options/sym-offset", "1\n");
  EXPECT_EQ(echo("0", "options/print-parent", 0), 0);
  EXPECT(strstr(cat("trace_options"), "noprint-parent\nsym-offset\n") == cat("trace_options"));
  EXPECT_EQ(echo("2", "options/print-parent", 0), -EINVAL);
  EXPECT_EQ(echo("nothing", "trace_options", 0), -EINVAL);
  EXPECT_EQ(echo("no", "trace_options", 0), -EINVAL);
  return failures;
}
