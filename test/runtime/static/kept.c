// Calls stay with static=1: tracers, filters and callbacks see each function, and no byte of text is ever written.
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked
// RUN: %trace_linked -s static=1 -p '' -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %gcc -fno-plt -fno-pie -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept -no-pie %t.o -o %t %linked
// RUN: %trace_linked -s static=1 -p '' -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %gcc -pg -c %s -o %t.o && %keep %t.o && %link_kept -static %t.o -o %t %static
// RUN: %trace_linked -s static=1 -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "calls.h"
#define SET(which, text) EXPECT_EQ(ftrace_set_global_##which((const unsigned char *)text, sizeof text - 1, 1), 0)
static int ones, others;
UNTRACED static void round_of(int one_is_traced, int others_are) {
  call_all();
  ones += one_is_traced, others += others_are;
  EXPECT_EQ(text_differing(), 0);
}
UNTRACED int main(void) {
  round_of(0, 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  round_of(1, 1);
  SET(filter, "one");
  round_of(1, 0);
  SET(filter, "");
  SET(notrace, "one");
  round_of(0, 1);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  round_of(0, 1);
  SET(notrace, "");
  round_of(1, 1);
  static struct ftrace_ops ops = {.func = count_hit, .flags = FTRACE_OPS_FL_SAVE_REGS};
  EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"one", 3, 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  round_of(1, 1); // the callback and function_graph at one call
  EXPECT_EQ(hits, 1);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  round_of(0, 0);
  EXPECT_EQ(hits, 2);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  round_of(0, 0);
  EXPECT_EQ(hits, 2);
  printf("one %d\nmixed %d\nmany %d\nvariadic %d\n", ones, others, others, others);
  return failures;
}
