// A limit on file sizes (ulimit -f) refuses the buffer; the program does not die of SIGXFSZ.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t && not %show %t.buf
#include "program.h"
#include <errno.h>
#include <ftrace.h>
#include <sys/resource.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED int main(void) {
  struct rlimit limit = {1 << 20, 1 << 20};
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(tracing_set_tracer("function"), -EFBIG);
  work();
  return failures;
}
