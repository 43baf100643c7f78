// Where neither mprotect nor /proc/self/mem lets text be written, changes are refused with the
// reason; enabled sites stay and go on.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: env NOPHOOK_TEXT_CHECK= %trace_linked -p '' -k 1024 -- %t
#include "refuse.h"
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sys/mman.h>

UNTRACED static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) { (void)ip, (void)parent_ip, (void)ops, (void)regs; }
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
  static struct ftrace_ops ops = {.func = nothing};
  EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"site_0", 6, 1) == 0 ? register_ftrace_function(&ops) : -EPERM, -EPERM);
  EXPECT_EQ(ops.flags & FTRACE_OPS_FL_ENABLED, 0);
  wait_for_runners();
  stop_runners();
  return failures != 0;
}
