// Events are made, filtered, triggered and taken away while threads call what they are about; an
// event that stays on misses no call.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

#include <pthread.h>

NOINLINE void steady(int n) { KEEP(n); }
NOINLINE int changing(int n, const char *text) {
  KEEP(text);
  return n + 1;
}

static volatile int stop;

UNTRACED static void *call(void *unused) {
  long calls = 0;
  for (; !stop; calls++) {
    steady((int)calls);
    int result = changing((int)calls, calls % 3 ? "text" : (const char *)8);
    KEEP(result);
  }
  (void)unused;
  return (void *)calls;
}

UNTRACED int main(void) {
  pthread_t threads[2];
  EXPECT_EQ(echo("p:mine/steady steady n=$arg1", "kprobe_events", 1), 0);
  EXPECT_EQ(echo("n > 1000000000", "events/mine/steady/filter", 0), 0);
  EXPECT_EQ(echo("1", "events/mine/steady/enable", 0), 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, call, NULL);
  for (int i = 0; i < 100; i++) {
    EXPECT_EQ(echo("f:mine/entry changing n:s32 text=+0($arg2):string", "dynamic_events", 1), 0);
    EXPECT_EQ(echo("f:mine/exit changing%return n=$arg1:s32 r=$retval:s32", "dynamic_events", 1), 0);
    EXPECT_EQ(echo("1", "events/mine/entry/enable", 0), 0);
    EXPECT_EQ(echo("text == text && n < 100", "events/mine/entry/filter", 0), 0);
    EXPECT_EQ(echo("enable_event:mine:exit if n & 1", "events/mine/entry/trigger", 1), 0);
    EXPECT_EQ(echo("mine:exit", "set_event", 1), 0);
    EXPECT_EQ(echo("r < 50", "events/mine/exit/filter", 0), 0);
    EXPECT_EQ(echo("0", "events/mine/entry/filter", 0), 0);
    EXPECT_EQ(echo("n > 1000000000", "events/mine/entry/filter", 0), 0);
    EXPECT_EQ(echo("!enable_event:mine:exit", "events/mine/entry/trigger", 1), 0);
    EXPECT_EQ(echo("!mine:entry !mine:exit", "set_event", 1), 0);
    EXPECT_EQ(echo("-:mine/entry", "dynamic_events", 1), 0);
    EXPECT_EQ(echo("-:mine/exit", "dynamic_events", 1), 0);
  }
  stop = 1;
  long calls = 0;
  for (int i = 0; i < 2; i++) {
    void *done;
    pthread_join(threads[i], &done);
    calls += (long)done;
  }
  char profile[128];
  snprintf(profile, sizeof profile, "  %-44s %15ld %15d\n", "steady", calls, 0);
  EXPECT_TEXT("kprobe_profile", profile);
  return failures;
}
