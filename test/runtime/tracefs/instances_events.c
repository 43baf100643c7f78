// An event that was made by text is on for the main buffer and for each instance by itself; and
// removing the instance switches it off there.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK:      bar: ; probes 3 probes/other, 5 probes/seen
// CHECK-NEXT: main: ; probes 2 probes/seen
#include "tree.h"

#include <sys/wait.h>
#include <unistd.h>

NOINLINE void leaf(int value) { KEEP(value); }
NOINLINE void other(void) { KEEP(0); }

UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    leaf(i), other();
}

UNTRACED int main(void) {
  EXPECT_EQ(echo("p:probes/seen leaf value", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("p:probes/other other", "dynamic_events", 1), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_TEXT("instances/foo/events/enable", "0\n");
  EXPECT_EQ(echo("1", "instances/foo/events/probes/seen/enable", 0), 0);
  EXPECT_EQ(echo("probes:seen", "instances/bar/set_event", 0), 0);
  EXPECT_TEXT("instances/foo/set_event", "probes:seen\n");
  EXPECT_TEXT("instances/foo/events/enable", "X\n");
  EXPECT_TEXT("events/probes/seen/enable", "0\n");
  EXPECT_EQ(echo("value < 1", "instances/bar/events/probes/seen/filter", 0), 0);
  EXPECT_EQ(echo("nonsense <", "instances/bar/events/probes/seen/filter", 0), -EINVAL);
  EXPECT_TEXT("instances/bar/events/probes/seen/filter", "value < 1\n");
  EXPECT_TEXT("instances/foo/events/probes/seen/filter", "none\n");
  call(1); // foo, bar
  EXPECT_EQ(echo("value > 0", "events/probes/seen/filter", 0), 0);
  EXPECT_EQ(echo("1", "events/probes/enable", 0), 0);
  EXPECT_EQ(echo("!probes:other", "set_event", 1), 0);
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0);
  call(2); // one of two bar, the other main
  EXPECT_EQ(echo("0", "instances/bar/events/probes/seen/filter", 0), 0);
  EXPECT_EQ(echo("1", "instances/bar/events/enable", 0), 0);
  call(2); // bar, both events; and one of two main
  pid_t pid = fork();
  if (!pid) {
    EXPECT_EQ(echo("", "set_event", 0), 0);
    EXPECT_EQ(tracefs_list("instances", NULL, NULL), 0); // and with them what was on for them
    EXPECT_EQ(strcmp(cat("enabled_functions"), ""), 0);
    exit(failures);
  }
  int status;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(echo("", "set_event", 0), 0); // events of the main buffer
  call(1);
  EXPECT_EQ(echo("-:probes/seen", "dynamic_events", 1), -EBUSY);
  EXPECT_EQ(echo("0", "instances/bar/events/enable", 0), 0);
  EXPECT_EQ(strcmp(cat("enabled_functions"), ""), 0);
  EXPECT_EQ(echo("-:probes/seen", "dynamic_events", 1), 0);
  return failures;
}
