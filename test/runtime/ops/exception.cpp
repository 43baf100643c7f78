// Exceptions pass through functions with callbacks, also those that callbacks throw and catch
// themselves, while a tracer has the functions as well.
// RUN: %traced_cxx -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t nop && %trace_linked -p '' -- %t function_graph
#include "ops.h"

struct Failure { int value; };
static int destroyed;
struct Guard { UNTRACED ~Guard() { destroyed++; } };
NOINLINE int thrower(int n) { KEEP(n); if (n > 3) throw Failure{n}; return n; }
NOINLINE int passer(int n) { Guard guard; int value = thrower(n); KEEP(value); return value; }
NOINLINE int catcher(int n) {
  try {
    return passer(n);
  } catch (const Failure &failure) {
    return -failure.value;
  }
}
static long caught;
UNTRACED static void throws(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *) {
  try {
    throw Failure{1};
  } catch (const Failure &failure) {
    caught += failure.value;
  }
}

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  EXPECT_EQ(tracing_set_tracer(arguments[1]), 0);
  static Counted counted = COUNTED(0), all = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
  ftrace_ops ops = {};
  ops.func = throws;
  EXPECT_EQ(set_filter(&ops, "thrower passer catcher", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  EXPECT_EQ(set_filter(&counted.ops, "passer thrower", 1), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(register_ftrace_function(&all.ops), 0);
  for (int i = 0; i < 1000; i++)
    EXPECT_EQ(catcher(i % 8), i % 8 > 3 ? -(i % 8) : i % 8);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&all.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(destroyed, 1000);
  EXPECT_EQ(caught, 3000);
  EXPECT_EQ(counted.calls, 2000);
  EXPECT_EQ(all.calls, 3000);
  ftrace_free_filter(&ops);
  return failures;
}
