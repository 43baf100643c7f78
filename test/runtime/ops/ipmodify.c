// IPMODIFY: a function continues elsewhere, with its registers and stack, or returns at once with
// a value; beside other callbacks and under a tracer, too.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %traced_cc -O1 -fcf-protection=full %s -o %t %linked && %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "ops.h"

NOINLINE long original(long a, long b, long c, long d, long e, long f, long g) { KEEP(a); return a + b + c + d + e + f + g; }
NOINLINE long instead(long a, long b, long c, long d, long e, long f, long g) { KEEP(a); return a * b * c * d * e * f * g; }
static int returns;
UNTRACED static void modify(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops;
  if (returns) {
    ftrace_regs_set_return_value(regs, 77);
    EXPECT_EQ(ftrace_regs_get_return_value(regs), 77);
    ftrace_override_function_with_return(regs);
  } else {
    ftrace_regs_set_instruction_pointer(regs, (unsigned long)instead);
  }
}
static struct Counted beside = COUNTED(0);
static long instead_events;
UNTRACED static void expect(int is_traced) {
  for (returns = 0; returns < 2; returns++)
    EXPECT_EQ(original(1, 2, 3, 4, 5, 6, 7), returns ? 77 : 5040);
  instead_events += is_traced;
}

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = modify, .flags = FTRACE_OPS_FL_IPMODIFY};
  EXPECT_EQ(set_filter(&ops, "original", 1), 0);
  for (int i = 0; i < 12; i++) {
    ops.flags = (ops.flags & FTRACE_OPS_FL_INITIALIZED) | FTRACE_OPS_FL_IPMODIFY | (i & 1 ? FTRACE_OPS_FL_SAVE_REGS : 0);
    EXPECT_EQ(tracing_set_tracer(i < 4 ? "nop" : i < 8 ? "function" : "function_graph"), 0);
    EXPECT_EQ(i & 2 ? register_ftrace_function(&beside.ops) : 0, 0);
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    expect(i >= 4);
    EXPECT_EQ(calls_of(&beside), i & 2 ? 3 : 0); // original twice, instead once
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
    EXPECT_EQ(i & 2 ? unregister_ftrace_function(&beside.ops) : 0, 0);
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(original(1, 2, 3, 4, 5, 6, 7), 28);
  }
  EXPECT_EQ(text_differing(), 0);
  printf("instead %ld\noriginal %d\n", instead_events, 8); // function's: its body is not entered
  return failures != 0;
}
