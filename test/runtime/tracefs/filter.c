// set_ftrace_filter is the kernel's: > replaces, >> adds, "!" takes away, a number is an index,
// nothing is all, and what matches nothing is EINVAL, shown with a caret in error_log.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function -- %t
// RUN: %show --python '[b.maps.name(e.id) for b in buffers for r in b.rings for e in r.events] == ["foo_two", "foo_one", "foo_two"]' %t.buf
#include "tree.h"

NOINLINE void foo_one(void) { KEEP(0); }
NOINLINE void foo_two(void) { KEEP(0); }
NOINLINE void bar(void) { KEEP(0); }
UNTRACED static void call_all(void) { foo_one(), foo_two(), bar(); }
#define ALL "#### all functions enabled ####\n"

UNTRACED int main(void) {
  EXPECT_TEXT("set_ftrace_filter", ALL);
  EXPECT_TEXT("set_ftrace_notrace", "#### no functions disabled ####\n");
  EXPECT_EQ(echo("foo*", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo_one\nfoo_two\n");
  EXPECT_EQ(echo("bar", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo_one\nfoo_two\nbar\n");
  EXPECT_EQ(echo("!*_two", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo_one\nbar\n");
  EXPECT_EQ(echo("2 3", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo_two\nbar\n");
  EXPECT_EQ(echo("later:mod:libthat", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo_two\nbar\nlater:mod:libthat\n");
  EXPECT_TEXT("error_log", "");
  EXPECT_EQ(echo("bar fo_* foo_one", "set_ftrace_filter", 1), -EINVAL);
  const char *told = strstr(cat("error_log"), "] ftrace: error: a pattern matches no function\n"
                                              "  Command: bar fo_*\n"
                                              "               ^\n");
  EXPECT(told != NULL);
  EXPECT_TEXT("set_ftrace_filter", "foo_two\nbar\nlater:mod:libthat\n"); // bar once more, no more
  EXPECT_EQ(echo("bar", "set_ftrace_notrace", 0), 0);
  call_all(); // notrace wins
  EXPECT_EQ(echo("", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("set_ftrace_filter", ALL);
  EXPECT_EQ(tracefs_write("set_ftrace_notrace", "bar", 3, 0), 0); // printf, no newline
  EXPECT_TEXT("set_ftrace_notrace", "bar\n");
  call_all();
  EXPECT_EQ(tracefs_write("set_ftrace_notrace", "", 0, 0), 0); // : > file
  EXPECT_TEXT("set_ftrace_notrace", "#### no functions disabled ####\n");
  EXPECT_EQ(echo("foo_*:traceoff:3 bar:traceon", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo_one:traceoff:count=3\nfoo_two:traceoff:count=3\nbar:traceon:unlimited\n");
  EXPECT_EQ(echo("!foo_*:traceoff", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "bar:traceon:unlimited\n");
  // Each function's for itself, whichever pattern has brought it; and several by one.
  EXPECT_EQ(echo("foo_*:traceoff:2", "set_ftrace_filter", 1), 0);
  EXPECT_EQ(echo("!bar:traceoff", "set_ftrace_filter", 1), -EINVAL);
  EXPECT_EQ(echo("!foo_two:traceoff", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "bar:traceon:unlimited\nfoo_one:traceoff:count=2\n");
  EXPECT_EQ(echo("!*:traceoff", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "bar:traceon:unlimited\n");
  EXPECT_EQ(echo("!bar:traceon", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("set_ftrace_filter", ALL);
  EXPECT_EQ(echo("!bar:traceon", "set_ftrace_filter", 1), -EINVAL);
  EXPECT_EQ(echo("", "error_log", 0), 0);
  EXPECT_TEXT("error_log", "");
  return failures;
}
