// Functions switch events, as in the kernel's ftrace/func_event_triggers.tc: enable_event and disable_event in set_ftrace_filter, with the counts that events' triggers have.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK: other: (other+{{.*}}) n=3
// CHECK-NOT: other:
#include "tree.h"

NOINLINE void on(void) { KEEP(0); }
NOINLINE void off(void) { KEEP(0); }
NOINLINE void other(int n) { KEEP(n); }

#define FILTER "set_ftrace_filter"
#define ENABLE "events/mine/other/enable"

UNTRACED int main(void) {
  EXPECT_EQ(echo("f:mine/other other n=$arg1:s32", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("on:enable_event:mine:nobody", FILTER, 1), -EINVAL);
  EXPECT_EQ(echo("on:enable_event:mine", FILTER, 1), -EINVAL);
  EXPECT_EQ(echo("on:enable_event:mine:other:0x1", FILTER, 1), 0);
  EXPECT_EQ(echo("off:disable_event:mine:other:unlimited", FILTER, 1), 0);
  EXPECT_TEXT(FILTER, "on:enable_event:mine:other:count=1\noff:disable_event:mine:other:unlimited\n");
  EXPECT_TEXT(ENABLE, "0*\n");
  EXPECT_EQ(echo("-:mine/other", "dynamic_events", 1), -EBUSY);
  other(1);
  off(); // it is off already
  other(2);
  on();
  EXPECT_TEXT(ENABLE, "1*\n");
  other(3);
  off();
  EXPECT_TEXT(ENABLE, "0*\n");
  on(); // the count is used up
  other(4);
  EXPECT_TEXT(FILTER, "on:enable_event:mine:other:count=0\noff:disable_event:mine:other:unlimited\n");
  EXPECT_EQ(echo("!off:disable_event:mine:other", FILTER, 1), 0);
  EXPECT_EQ(echo("!off:disable_event:mine:other", FILTER, 1), -EINVAL);
  EXPECT_EQ(echo("!on:enable_event:mine:other:count=0", FILTER, 1), 0);
  EXPECT_TEXT(ENABLE, "0\n");
  EXPECT_TEXT("enabled_functions", "");

  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("o*:enable_event:mine:other", "instances/foo/" FILTER, 1), 0);
  EXPECT_TEXT("instances/foo/" ENABLE, "0*\n");
  EXPECT_TEXT(ENABLE, "0\n");
  on();
  EXPECT_TEXT("instances/foo/" ENABLE, "1*\n");
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0); // removed with its trigger
  EXPECT_TEXT("enabled_functions", "");
  EXPECT_EQ(echo("dump", "events/mine/other/trigger", 1), -EINVAL); // only functions have it
  EXPECT_EQ(echo("", "dynamic_events", 0), 0);
  return failures;
}
