// A tracer and one or three callbacks on the same functions, started and stopped in each order:
// events and callbacks are exact.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t function > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p '' -- %t function_graph > %t.out && %show --expect %t.out %t.buf
#include "ops.h"

NOINLINE long leaf(long n) { KEEP(n); return n + 1; }
NOINLINE long middle(long n) { KEEP(n); return leaf(n) + 1; }
static struct Counted ops[3] = {COUNTED(0), COUNTED(FTRACE_OPS_FL_SAVE_REGS), COUNTED(FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE)};
static const char *const kFilters[] = {"leaf", "leaf middle", "*"};
static const int kFunctions[] = {1, 2, 2};
static long events;
static int is_tracing, registered[3];
UNTRACED static void expect(void) {
  for (long i = 0; i < 5; i++)
    EXPECT_EQ(middle(i), i + 2);
  events += is_tracing ? 5 : 0;
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(calls_of(&ops[i]), registered[i] * 5 * kFunctions[i]);
}
// Switch 0 is the tracer, 1 to 3 are the callbacks.
UNTRACED static void toggle(const char *tracer, int which) {
  int *state = which ? &registered[which - 1] : &is_tracing;
  *state ^= 1;
  EXPECT_EQ(which ? (*state ? register_ftrace_function : unregister_ftrace_function)(&ops[which - 1].ops) : tracing_set_tracer(*state ? tracer : "nop"), 0);
  expect();
}

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(set_filter(&ops[i].ops, kFilters[i], 1), 0);
  for (int on = 0; on < 24; on++) // permutations
    for (int off = 0; off < 24; off++)
      for (int turn = 0; turn < 2; turn++) {
        int left[4] = {0, 1, 2, 3}, code = turn ? off : on;
        for (int n = 4; n > 0; code /= n, n--) {
          int at = code % n;
          toggle(arguments[1], left[at]);
          left[at] = left[n - 1];
        }
      }
  EXPECT_EQ(text_differing(), 0);
  printf("leaf %ld\nmiddle %ld\n", events, events);
  return failures != 0;
}
