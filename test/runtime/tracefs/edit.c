// An edit is whole: it shows when the file is closed, tokens may come in pieces, and two clients
// that have the file open do not see each other's.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -- %t
#include "tree.h"

NOINLINE void foo(void) { KEEP(0); }
NOINLINE void bar(void) { KEEP(0); }

UNTRACED static void append(struct tracefs_file *file, const char *text) {
  EXPECT_EQ(tracefs_append(file, text, strlen(text)), (long)strlen(text));
}

UNTRACED static int is_enabled(const char *name) {
  const char *found = strstr(cat("enabled_functions"), name);
  return found && found[strlen(name)] == ' ';
}

UNTRACED int main(void) {
  struct tracefs_file *one, *other;
  EXPECT_EQ(echo("foo", "set_ftrace_filter", 0), 0);
  EXPECT(is_enabled("foo") && !is_enabled("bar"));
  EXPECT_EQ(tracefs_open("set_ftrace_filter", O_WRONLY | O_TRUNC, &one), 0);
  EXPECT_EQ(tracefs_open("set_ftrace_filter", O_WRONLY | O_APPEND, &other), 0);
  append(one, "b");
  append(one, "ar");
  append(other, "!foo ba");
  EXPECT_TEXT("set_ftrace_filter", "foo\n");
  EXPECT(is_enabled("foo") && !is_enabled("bar"));
  EXPECT_EQ(tracefs_close(one), 0);
  EXPECT_TEXT("set_ftrace_filter", "bar\n");
  EXPECT(!is_enabled("foo") && is_enabled("bar"));
  append(other, "r foo\n");
  EXPECT_EQ(tracefs_close(other), 0);
  EXPECT_TEXT("set_ftrace_filter", "foo\nbar\n");
  // The last words are looked at when the file is closed; the words before them hold.
  EXPECT_EQ(tracefs_open("set_ftrace_filter", O_WRONLY | O_TRUNC, &one), 0);
  append(one, "foo nothing");
  EXPECT_EQ(tracefs_close(one), -EINVAL);
  EXPECT_TEXT("set_ftrace_filter", "foo\n");
  return failures;
}
