// Direct calls: the function calls the address itself with its arguments, and goes on; each error
// of the three functions.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %traced_cc -O1 -fcf-protection=full %s -o %t %linked && %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "ops.h"

long first, second, third, argument_7;
void count_first(void), count_second(void);
// Keeps what may hold an argument: here all registers. At rsp: the site, then the caller.
__asm__("count_first:  incq first(%rip)\n"
        "        push %rax\n"
        "        mov 24(%rsp), %rax\n"
        "        mov %rax, argument_7(%rip)\n"
        "        pop %rax\n"
        "        ret\n"
        "count_second: incq second(%rip)\n"
        "        ret\n");
NOINLINE long sum(long a, long b, long c, long d, long e, long f, long g, long h) { KEEP(a); return a + b + c + d + e + f + g + h; }
NOINLINE long other(long a) { KEEP(a); return a; }
static struct Counted beside = COUNTED(0), modifies = COUNTED(FTRACE_OPS_FL_IPMODIFY);
static long calls;
UNTRACED static void expect(long first_calls, long second_calls) {
  EXPECT_EQ(sum(1, 2, 3, 4, 5, 6, 7, 8), 36);
  EXPECT_EQ(first, first_calls);
  EXPECT_EQ(second, second_calls);
  calls++;
}

UNTRACED int main(void) {
  static struct ftrace_ops ops, rival;
  const unsigned long a = (unsigned long)count_first, b = (unsigned long)count_second;
  EXPECT_EQ(register_ftrace_direct(&ops, a), -EINVAL); // no filter
  EXPECT_EQ(set_filter(&ops, "sum", 1), 0);
  EXPECT_EQ(set_filter(&rival, "s?m", 1), 0);
  EXPECT_EQ(set_filter(&modifies.ops, "sum", 1), 0);
  EXPECT_EQ(register_ftrace_direct(&ops, 0), -EINVAL);
  EXPECT_EQ(register_ftrace_direct(NULL, a), -EINVAL);
  EXPECT_EQ(modify_ftrace_direct(&ops, b), -EINVAL);
  EXPECT_EQ(unregister_ftrace_direct(&ops, a, 0), -EINVAL);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(register_ftrace_direct(&ops, a), 0);
  EXPECT(ops.flags & FTRACE_OPS_FL_DIRECT);
  EXPECT_EQ(register_ftrace_direct(&ops, a), -EBUSY);
  EXPECT_EQ(register_ftrace_direct(&rival, a), -EBUSY);
  EXPECT_EQ(register_ftrace_function(&modifies.ops), -EBUSY);
  expect(1, 0);
  EXPECT_EQ(argument_7, 7);
  EXPECT_EQ(register_ftrace_function(&beside.ops), 0);
  expect(2, 0);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  expect(3, 0);
  EXPECT_EQ(modify_ftrace_direct(&ops, 0), -EINVAL);
  EXPECT_EQ(modify_ftrace_direct(&ops, b), 0);
  expect(3, 1);
  EXPECT_EQ(unregister_ftrace_direct(&ops, a, 0), -EINVAL);
  EXPECT_EQ(unregister_ftrace_direct(&ops, b, 0), 0);
  expect(3, 1);
  EXPECT_EQ(ops.flags & (FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_ENABLED), 0);
  EXPECT_EQ(register_ftrace_function(&modifies.ops), 0);
  EXPECT_EQ(register_ftrace_direct(&ops, a), -EBUSY);
  EXPECT_EQ(unregister_ftrace_function(&modifies.ops), 0);
  EXPECT_EQ(register_ftrace_direct(&ops, a), 0);
  EXPECT_EQ(unregister_ftrace_direct(&ops, a, 1), 0);
  EXPECT(ops.flags & FTRACE_OPS_FL_DELETED);
  expect(3, 1);
  EXPECT_EQ(beside.calls, 5);
  EXPECT_EQ(unregister_ftrace_function(&beside.ops), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  printf("sum %ld\n", calls);
  return failures != 0;
}
