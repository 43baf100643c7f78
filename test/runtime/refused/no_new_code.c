// Where the kernel lets no memory become executable (PR_SET_MDWE), tracing is refused with the
// reason, and nothing has changed.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t
// RUN: %show %t.buf | FileCheck --allow-empty %s
#include "text.h"
#include <errno.h>
#include <ftrace.h>
#include <sys/prctl.h>
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

NOINLINE static void work(void) { KEEP(0); }
UNTRACED int main(void) {
  if (prctl(PR_SET_MDWE, 1, 0, 0, 0) != 0)
    return 0; // Linux before 6.3
  EXPECT_EQ(tracing_set_tracer("function"), -EPERM);
  EXPECT_EQ(text_differing(), 0);
  work();
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  EXPECT_EQ(tracing_set_tracer("function_graph"), -EPERM);
  work();
  return failures;
}
// CHECK-NOT: work
