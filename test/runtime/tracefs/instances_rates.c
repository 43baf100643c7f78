// Samples, rates and auto_notrace are rules of each instance by itself, with counters of its own; a new instance begins without those of the one before.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// RUN: %show %t.buf | FileCheck %s --check-prefix=LOG
// CHECK: bar: hot 20, rare 1
// CHECK: foo: hot 12
// CHECK: gone: hot 100
// CHECK: main: hot 310
// LOG: auto_notrace: hot is called more than 10 times a second: it is no longer recorded in the instance gone
// LOG-NOT: auto_notrace
#include "tree.h"

NOINLINE void hot(int n) { KEEP(n); }
NOINLINE void rare(void) { KEEP(0); }

#define FOO "instances/foo/"
#define BAR "instances/bar/"
#define GONE "instances/gone/"

UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    hot(i);
}

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_TEXT(FOO "auto_notrace", "0\n");
  EXPECT_EQ(echo("function", FOO "current_tracer", 0), 0);
  EXPECT_EQ(echo("hot", FOO "set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("hot:sample:10", FOO "set_ftrace_filter", 1), 0); // while it runs
  EXPECT_EQ(echo("!hot:sample", "set_ftrace_filter", 1), -EINVAL); // the command is not the main one's
  EXPECT_EQ(echo("hot:sample:0", FOO "set_ftrace_filter", 1), -EINVAL);
  EXPECT_EQ(echo("hot:sample:5", BAR "set_ftrace_filter", 1), 0);
  EXPECT_EQ(echo("function_graph", BAR "current_tracer", 0), 0);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  EXPECT_EQ(echo("hot", "set_ftrace_filter", 0), 0);
  call(100); // foo 10, bar 20, main 100
  rare();    // bar
  EXPECT_EQ(echo("nop", BAR "current_tracer", 0), 0);
  EXPECT_EQ(echo("!hot:sample", FOO "set_ftrace_filter", 1), 0);
  EXPECT_EQ(echo("!hot:sample", FOO "set_ftrace_filter", 1), -EINVAL);
  call(2); // foo, main
  EXPECT_EQ(echo("nop", FOO "current_tracer", 0), 0);

  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_EQ(echo("function", GONE "current_tracer", 0), 0);
  EXPECT_EQ(echo("10", GONE "auto_notrace", 0), 0);
  EXPECT_TEXT(GONE "auto_notrace", "10\n");
  EXPECT_TEXT("auto_notrace", "0\n");
  call(100); // main, and gone until it has too many
  EXPECT_EQ(echo("hot:ratelimit:1/s", GONE "set_ftrace_filter", 1), 0);
  EXPECT_EQ(tracefs_rmdir("instances/gone"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_TEXT(GONE "auto_notrace", "0\n");
  EXPECT_EQ(echo("!hot:ratelimit", GONE "set_ftrace_filter", 1), -EINVAL);
  EXPECT_EQ(echo("function", GONE "current_tracer", 0), 0);
  call(100);
  EXPECT_EQ(echo("nop", GONE "current_tracer", 0), 0);
  call(8); // main
  return failures;
}
