// instances/ has folders that mkdir makes and rmdir removes, with the kernel's errors; 15 at most.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: ls %t.buf | FileCheck --allow-empty --implicit-check-not=@ %s
// CHECK-NOT: nothing is left of any
#include "tree.h"

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED static int print(const char *name, unsigned mode, void *to) {
  EXPECT_EQ(mode, S_IFDIR | 0700u);
  strcat(strcat((char *)to, name), " ");
  return 0;
}

UNTRACED static const char *list(void) {
  static char text[1024];
  text[0] = 0;
  EXPECT_EQ(tracefs_list("instances", print, text), 0);
  return text;
}

UNTRACED int main(void) {
  EXPECT_EQ(strcmp(list(), ""), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("/instances/bar"), 0);
  EXPECT_EQ(strcmp(list(), "bar foo "), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), -EEXIST);
  EXPECT_EQ(tracefs_mkdir("instances"), -EEXIST);
  EXPECT_EQ(tracefs_mkdir("trace_marker"), -EEXIST);
  EXPECT_EQ(tracefs_mkdir("options/new"), -EPERM);
  EXPECT_EQ(tracefs_mkdir("instances/foo/bar"), -EPERM);
  EXPECT_EQ(tracefs_mkdir("instances/.."), -EINVAL);
  EXPECT_EQ(tracefs_mkdir("instances/0123456789012345678901234567890123456789012345678901234567890123"),
            -ENAMETOOLONG);
  EXPECT_EQ(tracefs_rmdir("instances/none"), -ENOENT);
  EXPECT_EQ(tracefs_rmdir("instances"), -EPERM);
  EXPECT_EQ(tracefs_rmdir("options"), -EPERM);
  EXPECT_EQ(tracefs_rmdir("none"), -ENOENT);
  EXPECT_EQ(tracefs_read("instances/none/trace_marker", NULL, 0), -ENOENT);
  EXPECT_EQ(tracefs_read("instances/foo", NULL, 0), -EISDIR);
  EXPECT_EQ(tracefs_read("instances/foo/options", NULL, 0), -EISDIR);
  EXPECT_EQ(tracefs_read("instances/foo/none", NULL, 0), -ENOENT);
  struct tracefs_file *file; // an open file keeps its instance, and no other
  EXPECT_EQ(tracefs_open("instances/foo/tracing_on", O_RDONLY, &file), 0);
  EXPECT_EQ(tracefs_rmdir("instances/foo"), -EBUSY);
  EXPECT_EQ(tracefs_rmdir("instances/bar"), 0);
  EXPECT_EQ(tracefs_close(file), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  leaf();
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0); // while it traces
  EXPECT_EQ(strcmp(cat("enabled_functions"), ""), 0);
  EXPECT_EQ(strcmp(list(), ""), 0);
  char path[32];
  for (int i = 0; i <= 15; i++) {
    snprintf(path, sizeof path, "instances/%02d", i);
    EXPECT_EQ(tracefs_mkdir(path), i < 15 ? 0 : -ENOSPC);
  }
  for (int i = 0; i < 15; i++) {
    snprintf(path, sizeof path, "instances/%02d", i);
    EXPECT_EQ(tracefs_rmdir(path), 0);
  }
  return failures;
}
