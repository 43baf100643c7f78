// set_usdt_filter opens its functions and no others; >> adds, an empty set closes them; with nobody attached calls run on as they are.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t && env NOPHOOK="set_usdt_filter=one" %t start
#include "tree.h"

static volatile int calls;
NOINLINE void one(void) { calls++; }
NOINLINE void two(void) { calls++; }
UNTRACED static void expect(int is_one, int is_two, const char *list) {
  EXPECT_TEXT("set_usdt_filter", list);
  const char *enabled = cat("enabled_functions");
  EXPECT_EQ(strstr(enabled, "one (1)") != NULL, is_one);
  EXPECT_EQ(strstr(enabled, "two (1)") != NULL, is_two);
  for (int i = 0; i < 1000; i++)
    one(), two();
}

UNTRACED int main(int argc, char **argv) {
  const char *nothing = "#### no functions ####\n";
  (void)argv;
  expect(argc > 1, 0, argc > 1 ? "one\n" : nothing);
  EXPECT_EQ(echo("one", "set_usdt_filter", 0), 0);
  expect(1, 0, "one\n");
  EXPECT_EQ(echo("two", "set_usdt_filter", 1), 0);
  expect(1, 1, "one\ntwo\n");
  EXPECT_EQ(echo("none_such", "set_usdt_filter", 1), -EINVAL);
  expect(1, 1, "one\ntwo\n");
  for (int i = 0; i < 50; i++) {
    EXPECT_EQ(echo("", "set_usdt_filter", 0), 0);
    expect(0, 0, nothing);
    EXPECT_EQ(echo("t*", "set_usdt_filter", 0), 0);
    expect(0, 1, "two\n");
  }
  EXPECT_EQ(calls, 2000 * 104);
  return failures;
}
