// A limit on address space (ulimit -v) refuses what does not fit; the program goes on, and is
// traced as soon as there is room.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -k 262144 -- %t && %show %t.buf
#include "program.h"
#include "text.h"
#include <errno.h>
#include <ftrace.h>
#include <sys/resource.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) { (void)ip, (void)parent_ip, (void)ops, (void)regs; }
UNTRACED int main(void) {
  static struct ftrace_ops ops = {.func = nothing};
  struct rlimit none = {1 << 20, RLIM_INFINITY};
  EXPECT_EQ(setrlimit(RLIMIT_AS, &none), 0);
  EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"work", 4, 1), -ENOMEM);
  EXPECT_EQ(register_ftrace_function(&ops), -ENOMEM);
  EXPECT_EQ(ops.flags & FTRACE_OPS_FL_ENABLED, 0);
  int refusals = 0;
  for (rlim_t kib = 2 << 10; kib < 600 << 10; kib += 256) { // wherever the limit strikes
    struct rlimit limit = {kib << 10, RLIM_INFINITY};
    EXPECT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    int result = tracing_set_tracer("function_graph");
    if (result == 0)
      return failures || refusals < 8;
    refusals++;
    EXPECT_EQ(result, -ENOMEM);
    work();
    struct rlimit no_limit = {RLIM_INFINITY, RLIM_INFINITY}; // the check needs memory of its own
    EXPECT_EQ(setrlimit(RLIMIT_AS, &no_limit), 0);
    EXPECT_EQ(text_differing(), 0);
  }
  return 1;
}
