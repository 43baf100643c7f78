// A rate that is set or taken away while the main tracer runs holds from the next call on, whether a file or the C API sets it.
// RUN: %traced_cc -O1 -I%S/../tracefs %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %show --count %t.buf | FileCheck %s
// CHECK: auto_notrace: busy is called more than 10 times a second
// CHECK: hot: 70 function
#include "tree.h"

#include <ftrace.h>

NOINLINE void hot(int n) { KEEP(n); }
NOINLINE void busy(int n) { KEEP(n); }

UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    hot(i);
}
UNTRACED static void set_by_api(const char *text) {
  EXPECT_EQ(ftrace_set_global_filter((const unsigned char *)text, (int)strlen(text), 0), 0);
}

UNTRACED int main(void) {
  EXPECT_EQ(echo("hot", "set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  call(10); // 10
  EXPECT_EQ(echo("hot:sample:10", "set_ftrace_filter", 1), 0);
  call(100); // 10
  EXPECT_EQ(echo("!hot:sample", "set_ftrace_filter", 1), 0);
  call(20); // 20
  set_by_api("hot:sample:5");
  call(50); // 10
  set_by_api("!hot:sample");
  call(20); // 20
  EXPECT_EQ(echo("busy busy:sample:1", "set_ftrace_filter", 0), 0); // from now on by callbacks
  EXPECT_EQ(echo("10", "auto_notrace", 0), 0);
  for (int i = 0; i < 1000; i++)
    busy(i);
  return failures;
}
