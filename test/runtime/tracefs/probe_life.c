// Events made by text: their names and lists, what may be taken away when, hits, and the files that
// switch them.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

NOINLINE void alpha(int n) { KEEP(n); }
NOINLINE void beta(int n) { KEEP(n); }

static const char kProfile[] =
    "  beta                                                       2               0\n"
    "  beta                                                       1               0\n"
    "  r_alpha_0                                                  1               0\n";

UNTRACED int main(void) {
  EXPECT_EQ(echo("f alpha # a comment\n\nf:mine/beta beta n=$arg1", "dynamic_events", 0), 0);
  EXPECT_EQ(echo("r3 alpha", "kprobe_events", 1), 0);
  EXPECT_TEXT("dynamic_events",
              "f:fprobes/alpha__entry alpha\nf:mine/beta beta n=$arg1\nr:kprobes/r_alpha_0 alpha\n");
  EXPECT_TEXT("kprobe_events", "r:kprobes/r_alpha_0 alpha\n");
  EXPECT_TEXT("available_events", "fprobes:alpha__entry\nmine:beta\nkprobes:r_alpha_0\n");
  // The same once more is none; of another function it is the same event.
  EXPECT_EQ(echo("f:mine/beta beta n=$arg1", "dynamic_events", 1), -EEXIST);
  EXPECT_EQ(echo("f:mine/beta alpha m=$arg1", "dynamic_events", 1), -EEXIST);
  EXPECT_EQ(echo("f:mine/beta alpha%return n=$arg1", "dynamic_events", 1), -EEXIST);
  EXPECT_EQ(echo("f:mine/beta alpha n=$arg1", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("-:fprobes/alpha__entry", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("-:fprobes/alpha__entry", "dynamic_events", 1), -ENOENT);
  // On and off.
  EXPECT_TEXT("events/enable", "0\n");
  EXPECT_EQ(echo("1", "events/mine/beta/enable", 0), 0);
  EXPECT_TEXT("events/mine/enable", "1\n");
  EXPECT_TEXT("events/enable", "X\n");
  EXPECT_TEXT("set_event", "mine:beta\n");
  EXPECT(strstr(cat("enabled_functions"), "alpha (1)") != NULL);
  EXPECT_EQ(echo("kprobes:*", "set_event", 1), 0);
  EXPECT_TEXT("set_event", "mine:beta\nkprobes:r_alpha_0\n");
  EXPECT_EQ(echo("nothing:*", "set_event", 1), -EINVAL);
  alpha(1);
  beta(2);
  beta(3);
  EXPECT_TEXT("kprobe_profile", kProfile);
  // An event that is on is not taken away.
  EXPECT_EQ(echo("-:mine/beta", "dynamic_events", 1), -EBUSY);
  EXPECT_EQ(echo("", "dynamic_events", 0), -EBUSY);
  EXPECT_EQ(echo("", "set_event", 0), 0);
  EXPECT_TEXT("events/enable", "0\n");
  EXPECT_TEXT("enabled_functions", "");
  alpha(4);
  EXPECT_TEXT("kprobe_profile", kProfile);
  EXPECT_EQ(echo("-:mine/", "dynamic_events", 1), 0);
  EXPECT_EQ(tracefs_read("events/mine/beta/id", NULL, 0), -ENOENT);
  EXPECT_EQ(echo("!r alpha", "kprobe_events", 1), 0);
  EXPECT_TEXT("dynamic_events", "");
  EXPECT_EQ(echo("p alpha", "dynamic_events", 0), 0);
  EXPECT_EQ(echo("f beta", "kprobe_events", 0), 0); // which empties that of kprobes alone
  EXPECT_TEXT("dynamic_events", "f:fprobes/beta__entry beta\n");
  EXPECT_EQ(echo("", "dynamic_events", 0), 0);
  EXPECT_TEXT("dynamic_events", "");
  return failures;
}
