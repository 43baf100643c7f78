// Triggers of events act whether the event is on or not, as often as their count says, and switch
// other events.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK: other: (other+{{.*}}) n=2
// CHECK: <stack trace>
// CHECK-NEXT: => {{work|main}}
// CHECK-NOT: other:
#include "tree.h"

NOINLINE void work(int n) { KEEP(n); }
NOINLINE void other(int n) { KEEP(n); }

#define TRIGGER "events/mine/work/trigger"

UNTRACED int main(void) {
  EXPECT_EQ(echo("f:mine/work work n=$arg1:s32\nf:mine/other other n=$arg1:s32", "dynamic_events", 1), 0);
  EXPECT(strstr(cat(TRIGGER), "# Available triggers:\n# traceon traceoff ") == cat(TRIGGER));
  EXPECT_EQ(echo("1", "events/mine/other/enable", 0), 0);
  EXPECT_EQ(echo("0", "events/mine/other/enable", 0), 0);
  EXPECT_EQ(echo("enable_event:mine:other:1 if n == 7", TRIGGER, 1), 0);
  EXPECT_TEXT(TRIGGER, "enable_event:mine:other:count=1 if n == 7\n");
  EXPECT_TEXT("events/mine/work/enable", "0*\n");
  EXPECT_TEXT("events/mine/other/enable", "0*\n");
  work(1);
  other(1);
  work(7);
  EXPECT_TEXT("events/mine/other/enable", "1*\n");
  EXPECT_TEXT(TRIGGER, "enable_event:mine:other:count=0 if n == 7\n");
  other(2);
  EXPECT_EQ(echo("disable_event:mine:other", TRIGGER, 1), 0);
  EXPECT_EQ(echo("stacktrace:1", TRIGGER, 1), 0);
  EXPECT_EQ(echo("stacktrace:1", TRIGGER, 1), -EEXIST);
  work(2);
  EXPECT_TEXT("events/mine/other/enable", "0*\n");
  other(3);
  EXPECT_EQ(echo("-:mine/other", "dynamic_events", 1), -EBUSY); // a trigger knows it
  EXPECT_EQ(echo("!enable_event:mine:other", TRIGGER, 1), 0);
  EXPECT_EQ(echo("!disable_event:mine:other", TRIGGER, 1), 0);
  EXPECT_EQ(echo("!disable_event:mine:other", TRIGGER, 1), -ENOENT);
  EXPECT_EQ(echo("!stacktrace", TRIGGER, 1), 0);
  EXPECT_TEXT("enabled_functions", "");
  EXPECT_EQ(echo("traceoff:1", TRIGGER, 1), 0);
  work(3);
  EXPECT_TEXT("tracing_on", "0\n");
  EXPECT_EQ(echo("1", "tracing_on", 0), 0);
  work(4);
  EXPECT_TEXT("tracing_on", "1\n");
  EXPECT_EQ(echo("nonsense", TRIGGER, 1), -EINVAL);
  EXPECT_EQ(echo("traceon if m == 1", TRIGGER, 1), -EINVAL);
  EXPECT(strstr(cat("error_log"), "error: Field not found\n  Command: traceon if m == 1\n                      ^\n") != NULL);
  EXPECT_EQ(echo("enable_event:mine:nobody", TRIGGER, 1), -EINVAL);
  EXPECT_EQ(echo("!traceoff", TRIGGER, 1), 0);
  EXPECT_EQ(echo("", "dynamic_events", 0), 0);
  return failures;
}
