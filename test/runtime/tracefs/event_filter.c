// Filters of events: comparisons of numbers and texts, joined, and the errors of wrong ones.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

NOINLINE void work(int n, const char *text) {
  KEEP(n);
  KEEP(text);
}

// How many of the calls that are wanted have set `tracing_on` to 0: a trigger with the filter
// says of each call whether it passes.
UNTRACED static int passes(const char *filter, int n, const char *text) {
  char line[300];
  snprintf(line, sizeof line, "traceoff if %s", filter);
  EXPECT_EQ(echo("1", "tracing_on", 0), 0);
  EXPECT_EQ(echo(line, "events/mine/work/trigger", 1), 0);
  work(n, text);
  EXPECT_EQ(echo("!traceoff", "events/mine/work/trigger", 1), 0);
  return *cat("tracing_on") == '0';
}

UNTRACED static void expect_error(const char *filter, const char *reason, const char *caret) {
  char wanted[300];
  EXPECT_EQ(echo("", "error_log", 0), 0);
  EXPECT_EQ(echo(filter, "events/mine/work/filter", 0), -EINVAL);
  snprintf(wanted, sizeof wanted, "event filter parse error: error: %s\n  Command: %s\n           %s\n",
           reason, filter, caret);
  const char *found = strstr(cat("error_log"), wanted);
  EXPECT(found && !found[strlen(wanted)]); // once
  if (!found || found[strlen(wanted)])
    fprintf(stderr, "%s", cat("error_log"));
}

UNTRACED int main(void) {
  char pid[40];
  EXPECT_EQ(echo("f:mine/work work n=$arg1:s32 u=$arg1:u32 text=+0($arg2):string", "dynamic_events", 1), 0);
  EXPECT(passes("n == 5", 5, "") && !passes("n == 5", 6, "") && passes("n != 5", 6, ""));
  EXPECT(passes("n < 0", -1, "") && !passes("u < 1", -1, "") && passes("u > 0x7fffffff", -1, ""));
  EXPECT(passes("n == -1", -1, "") && passes("n <= 3", 3, "") && passes("n>=3", 3, ""));
  EXPECT(passes("n & 4", 6, "") && !passes("n & 8", 6, ""));
  EXPECT(passes("text == \"abc\"", 0, "abc") && !passes("text == abc", 0, "abcd"));
  EXPECT(passes("text ~ \"*bc*\"", 0, "abcd") && !passes("text ~ 'b*'", 0, "abcd"));
  EXPECT(passes("n == 1 && u == 1 || text == x", 1, "") && passes("n==9||n==1", 1, ""));
  EXPECT(passes("n == 2 && u == 1 || text == x", 1, "x") && !passes("n == 2 || u == 3 && n == 1", 1, ""));
  EXPECT(passes("!(n == 1) && (text == a || text == b)", 2, "b"));
  EXPECT(!passes("!(n == 1 || text == b)", 2, "b") && passes("!!(n == 2)", 2, ""));
  EXPECT(passes("comm ~ \"*event_f*\"", 0, "") && !passes("comm == nobody", 0, ""));
  snprintf(pid, sizeof pid, "common_pid == %d", getpid());
  EXPECT(passes(pid, 0, "") && !passes("common_pid == 1", 0, ""));
  EXPECT(!passes("text == hello", 0, (const char *)8)); // which cannot be read
  EXPECT_TEXT("events/mine/work/filter", "none\n");
  EXPECT_EQ(echo("n == 1", "events/mine/work/filter", 0), 0);
  EXPECT_TEXT("events/mine/work/filter", "n == 1\n");
  expect_error("m == 1", "Field not found", "^");
  expect_error("n = 1", "Invalid operator", "  ^");
  expect_error("n ~ 1", "Illegal operation for field type", "   ^");
  expect_error("text < a", "Illegal operation for field type", "      ^");
  expect_error("n == x", "Expected number", "     ^");
  expect_error("(n == 1", "Unbalanced parenthesis", "       ^");
  expect_error("n == 1)", "Unbalanced parenthesis", "      ^");
  expect_error("n == 1 &&", "No field name found", "         ^");
  expect_error("text == \"a", "Missing quote", "          ^");
  EXPECT_TEXT("events/mine/work/filter", "n == 1\n");
  EXPECT_EQ(echo("0", "events/mine/work/filter", 0), 0);
  EXPECT_TEXT("events/mine/work/filter", "none\n");
  // The filter of a group is for its events that have the fields.
  EXPECT_EQ(echo("f:mine/other work", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("f:its/work work n=$arg1:s32", "dynamic_events", 1), 0);
  EXPECT(strstr(cat("events/mine/filter"), "### global filter ###\n") == cat("events/mine/filter"));
  EXPECT_EQ(echo("n == 2", "events/mine/filter", 0), 0);
  EXPECT_TEXT("events/mine/work/filter", "n == 2\n");
  EXPECT_TEXT("events/mine/other/filter", "none\n");
  EXPECT_TEXT("events/its/work/filter", "none\n");
  EXPECT_EQ(echo("nobody == 2", "events/mine/filter", 0), -EINVAL);
  EXPECT_TEXT("events/mine/work/filter", "n == 2\n");
  EXPECT_EQ(echo("0", "events/mine/filter", 0), 0);
  EXPECT_TEXT("events/mine/work/filter", "none\n");
  return failures;
}
