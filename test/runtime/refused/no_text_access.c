// Where neither mprotect nor /proc/self/mem lets text be written, changes are refused with the
// reason; what is enabled stays and goes on.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -k 1024 -- %t
#include "refuse.h"
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sys/mman.h>

UNTRACED int main(void) {
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  long enabled = text_differing();
  start_runners(1);
  refuse(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC, EACCES);
  refuse(SYS_openat, 2, O_RDWR, EACCES);
  EXPECT_EQ(tracing_set_tracer("nop"), -EPERM);
  EXPECT_EQ(text_differing(), enabled);
  EXPECT_EQ(ftrace_set_global_filter((const unsigned char *)"none", 4, 1), -EPERM);
  EXPECT_EQ(text_differing(), enabled);
  wait_for_runners();
  stop_runners();
  return failures != 0;
}
