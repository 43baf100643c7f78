// A fork child does not continue its parent's instances: it writes nothing to them, has none, and
// may make its own; what the parent has open is nothing there. The parent's go on.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK:      foo: leaf 3; marks before, after
// CHECK-NEXT: mine: leaf 7
// CHECK-NOT:  {{.}}
#include "tree.h"

#include <sys/wait.h>
#include <unistd.h>

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED static void call(int times) {
  while (times--)
    leaf();
}

UNTRACED static int mark(const char *text) {
  return tracefs_write("instances/foo/trace_marker", text, strlen(text), 0);
}

UNTRACED static int child(struct tracefs_file *open_file) {
  call(5); // the site still calls us
  EXPECT_EQ(tracefs_append(open_file, "lost", 4), -ENODEV);
  EXPECT_EQ(mark("lost"), -ENOENT);
  EXPECT_EQ(tracefs_list("instances", NULL, NULL), 0); // would call null for each
  EXPECT_EQ(strcmp(cat("enabled_functions"), ""), 0);
  EXPECT_EQ(tracefs_mkdir("instances/mine"), 0);
  EXPECT_EQ(tracefs_close(open_file), -ENODEV);
  EXPECT_EQ(echo("function_graph", "instances/mine/current_tracer", 0), 0);
  call(7);
  EXPECT_EQ(echo("nop", "instances/mine/current_tracer", 0), 0);
  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_EQ(tracefs_rmdir("instances/gone"), 0);
  return failures;
}

UNTRACED int main(void) {
  struct tracefs_file *open_file;
  int status;
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(tracefs_open("instances/foo/trace_marker", O_WRONLY, &open_file), 0);
  call(1);
  EXPECT_EQ(mark("before"), 0);
  for (int quiet = 0; quiet < 2; quiet++) {
    pid_t pid = fork();
    if (!pid) {
      if (quiet)
        call(5); // and never looks at the tree
      exit(quiet ? 0 : child(open_file));
    }
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  call(2);
  EXPECT_EQ(mark("after"), 0);
  EXPECT_EQ(tracefs_rmdir("instances/foo"), -EBUSY);
  EXPECT_EQ(tracefs_close(open_file), 0);
  return failures;
}
