// Filter patterns: globs, `!`, rows, white space, addresses; what matches nothing is -EINVAL and
// changes nothing; notrace wins.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void aa(void) { KEEP(0); }
NOINLINE void ab(void) { KEEP(0); }
NOINLINE void bb(void) { KEEP(0); }
NOINLINE void star_fish(void) { KEEP(0); }
static struct Counted counted = COUNTED(0);
static char text[2000];
UNTRACED static void expect(const char *wanted) {
  static void (*const kAll[])(void) = {aa, ab, bb, star_fish};
  char seen[5] = "....";
  for (int i = 0; i < 4; i++) {
    kAll[i]();
    seen[i] = calls_of(&counted) ? "abcs"[i] : '.';
  }
  if (strcmp(seen, wanted) != 0)
    failures++, printf("%s instead of %s\n", seen, wanted);
}
#define FILTER(pattern, reset, result, wanted) EXPECT_EQ(set_filter(&counted.ops, pattern, reset), result); expect(wanted)
#define NOTRACE(pattern, reset, result, wanted) EXPECT_EQ(set_notrace(&counted.ops, pattern, reset), result); expect(wanted)

UNTRACED int main(void) {
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  expect("abcs");
  FILTER("a?", 1, 0, "ab..");
  FILTER("bb", 0, 0, "abc.");
  FILTER("!aa", 0, 0, ".bc.");
  FILTER("nothing", 0, -EINVAL, ".bc.");
  FILTER("aa nothing", 1, -EINVAL, ".bc.");
  FILTER("!nothing", 0, -EINVAL, ".bc.");
  FILTER(" \t\n[!b]? \n", 1, 0, "ab..");
  FILTER("*b", 1, 0, ".bc.");
  FILTER("*b !a* aa", 1, 0, "a.c.");
  FILTER("star\\_fish", 1, 0, "...s");
  FILTER("star\\*", 1, -EINVAL, "...s");
  FILTER("*_*", 1, 0, "...s");
  FILTER("*", 1, 0, "abcs");
  FILTER("!star*", 0, 0, "abc.");
  FILTER("aa", 1, 0, "a...");
  FILTER("!aa", 0, 0, "abcs"); // none is left: all, as in the kernel
  sprintf(text, "%lu %lu", RECORD(ab).index, RECORD(bb).index);
  FILTER(text, 1, 0, ".bc.");
  FILTER("0", 0, -EINVAL, ".bc.");
  FILTER("99999999999999999999", 0, -EINVAL, ".bc.");
  FILTER("*:mod:filters.c.tmp", 1, 0, "abcs");
  FILTER("a*:mod:filters*", 1, 0, "ab..");
  FILTER("*:mod:!filters*", 1, 0, "....");
  FILTER("bb:mod:other*", 0, 0, "....");
  FILTER("", 1, 0, "abcs");
  EXPECT_EQ(ftrace_set_filter(&counted.ops, (const unsigned char *)"aab", 2, 1), 0);
  expect("a...");
  EXPECT_EQ(ftrace_set_filter(NULL, (const unsigned char *)"aa", 2, 1), -EINVAL);
  memset(text, 'x', 1999);
  FILTER(text, 1, -EINVAL, "a...");
  EXPECT_EQ(ftrace_set_filter(&counted.ops, NULL, 0, 0), 0);
  expect("a...");
  NOTRACE("aa", 1, 0, "....");
  FILTER("a*", 1, 0, ".b..");
  NOTRACE("nothing", 1, -EINVAL, ".b..");
  NOTRACE("ab", 0, 0, "....");
  NOTRACE("!ab", 0, 0, ".b..");
  EXPECT_EQ(ftrace_set_notrace(&counted.ops, NULL, 0, 1), 0);
  expect("ab..");

  unsigned long ips[] = {(unsigned long)aa, ftrace_location((unsigned long)bb), (unsigned long)main};
  EXPECT_EQ(ftrace_set_filter_ips(&counted.ops, ips, 3, 0, 1), -EINVAL); // main has no site
  expect("ab..");
  EXPECT_EQ(ftrace_set_filter_ips(&counted.ops, ips, 2, 0, 1), 0);
  expect("a.c.");
  EXPECT_EQ(ftrace_set_filter_ip(&counted.ops, (unsigned long)star_fish, 0, 0), 0);
  expect("a.cs");
  EXPECT_EQ(ftrace_set_filter_ip(&counted.ops, (unsigned long)aa, 1, 0), 0);
  expect("..cs");
  EXPECT_EQ(ftrace_set_filter_ip(&counted.ops, 0, 1, 0), -EINVAL);
  EXPECT_EQ(ftrace_set_filter_ips(&counted.ops, NULL, 0, 0, 1), 0);
  expect("abcs");
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  expect("....");
  return failures;
}
