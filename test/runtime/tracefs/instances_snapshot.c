// An instance's snapshot holds its own buffer, by its file, by a command and by a trigger; and goes with it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: ls %t.buf | sed 's/^[0-9]*-[0-9]*//' | sort > %t.files && FileCheck %s < %t.files
// RUN: %nophook report %t.buf/*.s1@foo.buf | FileCheck --check-prefix=FIRST %s
// RUN: %nophook report %t.buf/*.s3@foo.buf | FileCheck --check-prefix=THIRD %s
// CHECK-NOT: s1.buf
// CHECK: .s1@foo.buf
// CHECK: .s1@foo.maps
// CHECK: .s2@foo.buf
// CHECK: .s3@foo.buf
// CHECK-NOT: gone
// FIRST-COUNT-3: leaf <-main
// FIRST-NOT: leaf
// THIRD-COUNT-6: leaf <-main
// THIRD-NOT: leaf
#include "tree.h"

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }

#define FOO "instances/foo/"
#define FREED "#\n# * Snapshot is freed *\n#\n"
#define ALLOCATED "#\n# * Snapshot is allocated *\n#\n"

UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    leaf();
}

UNTRACED int main(void) {
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_EQ(echo("function", FOO "current_tracer", 0), 0);
  EXPECT(strncmp(cat(FOO "snapshot"), FREED, sizeof FREED - 1) == 0);
  call(3);
  EXPECT_EQ(echo("1", FOO "snapshot", 0), 0);
  EXPECT(strncmp(cat(FOO "snapshot"), ALLOCATED, sizeof ALLOCATED - 1) == 0);
  EXPECT(strncmp(cat("snapshot"), FREED, sizeof FREED - 1) == 0);
  EXPECT_EQ(echo("leaf:snapshot:1", FOO "set_ftrace_filter", 1), 0);
  call(1);
  EXPECT_EQ(echo("!leaf:snapshot", FOO "set_ftrace_filter", 1), 0);
  EXPECT_EQ(echo("p:probes/seen other", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("snapshot:1", FOO "events/probes/seen/trigger", 1), 0);
  call(2);
  other();
  EXPECT_EQ(echo("1", "instances/gone/snapshot", 0), 0);
  EXPECT_EQ(tracefs_rmdir("instances/gone"), 0);
  return failures;
}
