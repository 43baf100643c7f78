// The examples of the kernel's ftrace-uses.rst, in its order, on functions of the same names: a filter that is replaced
// by another one never selects all functions; one that is emptied first selects them all until the next call.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void schedule(void) { KEEP(0); }
NOINLINE void try_to_wake_up(void) { KEEP(0); }
NOINLINE void yield(void) { KEEP(0); }
static unsigned long private_data;
static char seen[8];
UNTRACED static void my_callback_func(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs) {
  (void)parent_ip, (void)fregs;
  EXPECT(op->private == &private_data);
  strcat(seen, ip == ftrace_location((unsigned long)schedule) ? "s" : ip == ftrace_location((unsigned long)yield) ? "y" : "t");
}
static struct ftrace_ops ops = {.func = my_callback_func, .private = &private_data};
// The functions that call the callback, by their first letters.
UNTRACED static void expect(const char *wanted) {
  seen[0] = 0;
  schedule(), try_to_wake_up(), yield();
  if (strcmp(seen, wanted) != 0)
    failures++, printf("'%s' instead of '%s'\n", seen, wanted);
}

UNTRACED int main(void) {
  const unsigned char *const kSchedule = (const unsigned char *)"schedule", *const kWakeUp = (const unsigned char *)"try_to_wake_up";
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  expect("sty");
  EXPECT_EQ(ftrace_set_filter(&ops, kSchedule, strlen("schedule"), 0), 0);
  expect("s");
  EXPECT_EQ(ftrace_set_filter(&ops, NULL, 0, 1), 0);
  expect("sty");
  EXPECT_EQ(ftrace_set_filter_ip(&ops, ftrace_location((unsigned long)yield), 0, 0), 0);
  expect("y");
  EXPECT_EQ(ftrace_set_filter(&ops, NULL, 0, 1), 0);
  EXPECT_EQ(ftrace_set_notrace(&ops, kSchedule, strlen("schedule"), 0), 0);
  expect("ty");
  EXPECT_EQ(ftrace_set_notrace(&ops, NULL, 0, 1), 0);
  expect("sty");

  EXPECT_EQ(ftrace_set_filter(&ops, kSchedule, strlen("schedule"), 1), 0);
  expect("s");
  EXPECT_EQ(ftrace_set_filter(&ops, kWakeUp, strlen("try_to_wake_up"), 1), 0);
  expect("t");
  // This is not the same as:
  EXPECT_EQ(ftrace_set_filter(&ops, kSchedule, strlen("schedule"), 1), 0);
  expect("s");
  EXPECT_EQ(ftrace_set_filter(&ops, NULL, 0, 1), 0);
  expect("sty");
  EXPECT_EQ(ftrace_set_filter(&ops, kWakeUp, strlen("try_to_wake_up"), 0), 0);
  expect("t");
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  expect("");
  ftrace_free_filter(&ops);
  return failures;
}
