// A program that has forbidden itself the time-stamp counter (PR_SET_TSC) is not traced, and runs on; when it allows the counter again, it is.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -- %t && %show --count %t.buf | FileCheck %s
// CHECK: work: 1 entry, 1 exit
#include "program.h"
#include <errno.h>
#include <ftrace.h>
#include <sys/prctl.h>

NOINLINE void work(int n) { KEEP(n); }
int main(void) {
  EXPECT_EQ(prctl(PR_SET_TSC, PR_TSC_SIGSEGV), 0);
  EXPECT_EQ(tracing_set_tracer("function_graph"), -EPERM);
  EXPECT_EQ(tracing_set_tracer("profile"), -EPERM);
  work(1);
  EXPECT_EQ(prctl(PR_SET_TSC, PR_TSC_ENABLE), 0);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  work(2);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  return failures;
}
