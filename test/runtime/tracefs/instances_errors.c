// The error of a text written below an instance is in its error_log, and in no other; a new one of the name begins with none.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"
#include <errno.h>

NOINLINE static void work(void) { KEEP(0); }

UNTRACED static int tells(const char *path, const char *what) { return strstr(cat(path), what) != NULL; }

UNTRACED int main(void) {
  work();
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_TEXT("instances/foo/error_log", "");
  EXPECT_EQ(echo("nonsense", "instances/foo/set_ftrace_filter", 0), -EINVAL);
  EXPECT_EQ(echo("unheard", "instances/bar/current_tracer", 0), -EINVAL);
  EXPECT_EQ(echo("absent", "set_ftrace_notrace", 0), -EINVAL);
  EXPECT(tells("instances/foo/error_log", "error: a pattern matches no function\n  Command: nonsense\n           ^\n"));
  EXPECT(!tells("instances/foo/error_log", "unheard") && !tells("instances/foo/error_log", "absent"));
  EXPECT(tells("instances/bar/error_log", "  Command: unheard\n"));
  EXPECT(!tells("instances/bar/error_log", "nonsense"));
  EXPECT(tells("error_log", "absent") && !tells("error_log", "nonsense") && !tells("error_log", "unheard"));
  EXPECT_EQ(echo("", "instances/bar/error_log", 0), 0);
  EXPECT_TEXT("instances/bar/error_log", "");
  EXPECT(tells("instances/foo/error_log", "nonsense"));
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_TEXT("instances/foo/error_log", "");
  return failures;
}
