// In a stripped program filters know exported names, rows and addresses; `*` is everything.
// RUN: %traced_cc -O1 -rdynamic %s -o %t %linked && %strip %t && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void exported(void) { KEEP(0); }
NOINLINE static void local(void) { KEEP(0); }
static struct Counted counted = COUNTED(0);
UNTRACED static void expect(long of_exported, long of_local) {
  exported();
  EXPECT_EQ(calls_of(&counted), of_exported);
  local();
  EXPECT_EQ(calls_of(&counted), of_local);
}

UNTRACED int main(void) {
  char row[20];
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  expect(1, 1);
  EXPECT_EQ(set_filter(&counted.ops, "exported", 1), 0);
  expect(1, 0);
  EXPECT_EQ(set_filter(&counted.ops, "local", 1), -EINVAL);
  expect(1, 0);
  sprintf(row, "%lu", RECORD(local).index);
  EXPECT_EQ(set_filter(&counted.ops, row, 1), 0);
  expect(0, 1);
  EXPECT_EQ(ftrace_set_filter_ip(&counted.ops, (unsigned long)local, 0, 1), 0);
  expect(0, 1);
  EXPECT_EQ(set_filter(&counted.ops, "*", 1), 0);
  expect(1, 1);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  return failures;
}
