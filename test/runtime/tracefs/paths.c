// Errors of paths: missing ones, folders, files that cannot be read or written; folders list their
// entries, sorted.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

static char last[64];
static int entries, folders;
UNTRACED static int visit(const char *name, unsigned mode, void *data) {
  EXPECT(strcmp(last, name) < 0);
  snprintf(last, sizeof last, "%s", name);
  entries++;
  folders += S_ISDIR(mode);
  EXPECT(S_ISDIR(mode) || mode == 0600 || mode == 0400 || mode == 0200);
  return data && entries == 2 ? 5 : 0;
}

UNTRACED int main(void) {
  struct tracefs_file *file;
  EXPECT_EQ(tracefs_read("nothing", NULL, 0), -ENOENT);
  EXPECT_EQ(tracefs_read("sys", NULL, 0), -EISDIR);
  EXPECT_EQ(tracefs_read("sys/kernel", NULL, 0), -EISDIR);
  EXPECT_EQ(tracefs_read("sys/kern", NULL, 0), -ENOENT);
  EXPECT_EQ(tracefs_read("trace_marker", NULL, 0), -EACCES);
  EXPECT_EQ(echo("x", "available_tracers", 0), -EACCES);
  EXPECT_EQ(tracefs_open("new", O_WRONLY | O_CREAT, &file), -EACCES);
  EXPECT(file == NULL);
  EXPECT(tracefs_read("/current_tracer", NULL, 0) == 4);
  EXPECT_EQ(tracefs_list("nothing", visit, NULL), -ENOENT);
  EXPECT_EQ(tracefs_list("current_tracer", visit, NULL), -ENOENT);
  EXPECT_EQ(entries, 0);
  EXPECT_EQ(tracefs_list("", visit, NULL), 0);
  EXPECT(entries > 10);
  EXPECT_EQ(folders, 6);
  entries = 0, last[0] = 0;
  EXPECT_EQ(tracefs_list("livepatch", visit, NULL), 0); // there without a patch, too
  EXPECT_EQ(entries, 4);
  EXPECT_EQ(tracefs_read("livepatch", NULL, 0), -EISDIR);
  EXPECT_EQ(tracefs_read("livepatch/", NULL, 0), -ENOENT);
  entries = 0, last[0] = 0;
  EXPECT_EQ(tracefs_list("", visit, &entries), 5);
  EXPECT_EQ(entries, 2);
  entries = 0, last[0] = 0;
  EXPECT_EQ(tracefs_list("sys/kernel", visit, NULL), 0);
  EXPECT_EQ(entries, 2);
  EXPECT(strcmp(last, "stack_tracer_enabled") == 0);
  EXPECT_EQ(tracefs_open("set_ftrace_filter", O_RDONLY, &file), 0);
  EXPECT_EQ(tracefs_append(file, "x", 1), -EBADF);
  char text[9];
  EXPECT_EQ(tracefs_pread(file, text, 4, 5), 4);
  EXPECT(memcmp(text, "all ", 4) == 0);
  EXPECT_EQ(tracefs_pread(file, text, 4, 100), 0);
  EXPECT_EQ(tracefs_close(file), 0);
  return failures;
}
