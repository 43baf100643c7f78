// An edit of a set of functions is one batch, whatever it adds and removes and however many writes that takes: one call of membarrier.
// REQUIRES: strace
// RUN: %traced_cc -O1 %s -o %t %linked && rm -rf %t.buf && mkdir %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf" strace -f -qq -o %t.calls -e trace=membarrier,getpriority %t
// RUN: %python -c 'print([part.count("membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE,") for part in open("%t.calls").read().split("getpriority(")][1:-1])' | FileCheck %s
// CHECK: [3, 1, 1, 1, 0]
#include "tree.h"
#include <sys/resource.h>

NOINLINE void a(void) { KEEP(0); }
NOINLINE void b(void) { KEEP(1); }
NOINLINE void c(void) { KEEP(2); }
NOINLINE void d(void) { KEEP(3); }

UNTRACED static void edit(const char *file, const char *text) {
  EXPECT_EQ(echo(text, file, 1), 0);
}
UNTRACED static void begin_part(void) { getpriority(PRIO_PROCESS, 0); }

UNTRACED int main(void) {
  edit("set_ftrace_filter", "d");
  edit("current_tracer", "function");
  begin_part(); // a site each
  edit("set_ftrace_filter", "a");
  edit("set_ftrace_filter", "b");
  edit("set_ftrace_filter", "c");
  begin_part(); // removed and added at once
  edit("set_ftrace_filter", "!a\n!b\n!c");
  begin_part();
  struct tracefs_file *file;
  EXPECT_EQ(tracefs_open("set_ftrace_filter", O_WRONLY | O_APPEND, &file), 0);
  for (const char *line = "a\nb\nc\n"; *line; line += 2)
    EXPECT_EQ(tracefs_append(file, line, 2), 2);
  EXPECT_EQ(tracefs_append(file, "!d\n", 3), 3);
  EXPECT_EQ(tracefs_close(file), 0);
  begin_part();
  edit("set_ftrace_notrace", "a\nb\nc");
  begin_part(); // no change
  edit("set_ftrace_notrace", "a\nb\nc");
  begin_part();
  return 0;
}
