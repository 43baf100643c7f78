// A breakpoint of gdb's on a traceable function is hit each time, before callbacks come and while they
// are there; the site is left alone, the others are not, and text is the file's again.
// REQUIRES: gdb
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: gdb -nx -batch -iex "set debuginfod enabled off" -ex "set environment NOPHOOK log=stderr" -ex "break *broken" -ex "run" -ex "continue" -ex "continue" -ex "delete" -ex "continue" %t 2>&1 | FileCheck %s
// CHECK: Breakpoint 1, broken
// CHECK: 1 functions have a breakpoint or uprobe at their entry and are left alone
// CHECK: Breakpoint 1, broken
// CHECK: Breakpoint 1, broken
// CHECK: exited normally
#include "ops.h"
NOINLINE int broken(int n) { KEEP(&n); return n + 1; }
NOINLINE int other(int n) { KEEP(&n); return n + 2; }

int main(void) {
  static struct Counted counted = COUNTED(0);
  EXPECT_EQ(broken(1) + other(1), 5);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(broken(1) + other(1), 5);
  EXPECT_EQ(calls_of(&counted), 1);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(broken(1) + other(1), 5);
  EXPECT_EQ(calls_of(&counted), 0);
  EXPECT_EQ(text_differing(), 0); // gdb has deleted it
  return failures;
}
