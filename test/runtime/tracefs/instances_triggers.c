// Triggers of events in an instance act on that instance: its switch, its buffer, its events; and go with it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK: bar: ; probes 1 probes/other; 1 stacks
// CHECK: main: ; probes 1 probes/other{{$}}
#include "tree.h"

NOINLINE void leaf(int value) { KEEP(value); }
NOINLINE void other(void) { KEEP(0); }

#define LEAF "events/probes/seen/trigger"
#define IN_FOO "instances/foo/" LEAF
#define IN_BAR "instances/bar/" LEAF

UNTRACED int main(void) {
  EXPECT_EQ(echo("p:probes/seen leaf value", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("p:probes/other other", "dynamic_events", 1), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_EQ(echo("traceoff:2 if value == 1", IN_FOO, 1), 0);
  EXPECT_EQ(echo("traceoff:2 if value == 1", IN_FOO, 1), -EEXIST);
  EXPECT_TEXT(IN_FOO, "traceoff:count=2 if value == 1\n");
  EXPECT(strstr(cat(IN_BAR), "# Available triggers:") != NULL);
  EXPECT(strstr(cat(LEAF), "# Available triggers:") != NULL);
  EXPECT_TEXT("instances/foo/events/probes/seen/enable", "0*\n");
  EXPECT_TEXT("instances/bar/events/probes/seen/enable", "0\n");
  EXPECT_TEXT("events/probes/seen/enable", "0\n");
  leaf(0);
  EXPECT_TEXT("instances/foo/tracing_on", "1\n");
  leaf(1);
  EXPECT_TEXT("instances/foo/tracing_on", "0\n");
  EXPECT_TEXT("instances/bar/tracing_on", "1\n");
  EXPECT_TEXT("tracing_on", "1\n");
  leaf(1); // it is off already: the count stays
  EXPECT_TEXT(IN_FOO, "traceoff:count=1 if value == 1\n");

  EXPECT_EQ(echo("enable_event:probes:other", IN_BAR, 1), 0);
  EXPECT_EQ(echo("stacktrace:1", IN_BAR, 1), 0);
  EXPECT_TEXT("instances/bar/events/probes/other/enable", "0*\n");
  EXPECT_TEXT("instances/foo/events/probes/other/enable", "0\n");
  leaf(2);
  EXPECT_TEXT("instances/bar/events/probes/other/enable", "1*\n");
  EXPECT_TEXT("instances/foo/events/probes/other/enable", "0\n");
  EXPECT_TEXT("events/probes/other/enable", "0\n");
  EXPECT_EQ(echo("1", "events/probes/other/enable", 0), 0);
  other(); // bar, main
  EXPECT_EQ(echo("0", "events/probes/other/enable", 0), 0);
  EXPECT_EQ(echo("!enable_event:probes:other", IN_FOO, 1), -ENOENT);
  EXPECT_EQ(echo("!enable_event:probes:other", IN_BAR, 1), 0);
  EXPECT_EQ(echo("!stacktrace", IN_BAR, 1), 0);
  EXPECT_EQ(echo("0", "instances/bar/events/enable", 0), 0);
  EXPECT(strstr(cat("enabled_functions"), "leaf (1)") == cat("enabled_functions"));

  EXPECT_EQ(echo("-:probes/seen", "dynamic_events", 1), -EBUSY);
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0); // removed with its trigger
  EXPECT_TEXT("enabled_functions", "");
  leaf(1);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0); // another one has none
  EXPECT(strstr(cat(IN_FOO), "# Available triggers:") != NULL);
  EXPECT_EQ(echo("", "dynamic_events", 0), 0);
  return failures;
}
