// Two functions of one name: the name means both, and each has a row of its own, which means it alone.
// RUN: %traced_cc -Wno-unused-command-line-argument -O1 -DOTHER -c %s -o %t.o
// RUN: %traced_cc -O1 %s %t.o -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#ifdef OTHER
NOINLINE static int same(int n) { KEEP(&n); return n + 2; }
int (*const other)(int) = same;
#else
NOINLINE static int same(int n) { KEEP(&n); return n + 1; }
extern int (*const other)(int);
static struct Counted counted = COUNTED(0);
static char text[64];
UNTRACED static int seen(void) { // 1: this one, 2: the other
  int result = same(1) == 2 && calls_of(&counted);
  return result + 2 * (other(1) == 3 && calls_of(&counted));
}
UNTRACED static const char *row(const char *prefix, unsigned long index) {
  snprintf(text, sizeof text, "%s%lu", prefix, index);
  return text;
}

UNTRACED int main(void) {
  unsigned long mine = RECORD(same).index, theirs = RECORD(other).index;
  EXPECT(mine != theirs && mine && theirs);
  unsigned long low = mine < theirs ? mine : theirs, high = mine + theirs - low;
  EXPECT(ftrace_lookup_name("same", 0) == low && ftrace_lookup_name("same", low) == high);
  EXPECT_EQ(set_filter(&counted.ops, "same", 1), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(seen(), 3);
  EXPECT_EQ(set_filter(&counted.ops, row("", mine), 1), 0);
  EXPECT_EQ(seen(), 1);
  EXPECT_EQ(set_filter(&counted.ops, row("", theirs), 1), 0);
  EXPECT_EQ(seen(), 2);
  EXPECT_EQ(set_filter(&counted.ops, "same", 1), 0);
  EXPECT_EQ(set_filter(&counted.ops, row("!", theirs), 0), 0);
  EXPECT_EQ(seen(), 1);
  EXPECT_EQ(ftrace_set_filter_ip(&counted.ops, (unsigned long)other, 0, 1), 0);
  EXPECT_EQ(seen(), 2);
  EXPECT_EQ(RECORD(same).index, mine); // rows stay
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
