// A trigger is removed by "!" and the line that lists it, as trace-cmd reset does, and set by it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

NOINLINE void work(int n) { KEEP(n); }

#define TRIGGER "events/mine/work/trigger"
#define FILTER "set_ftrace_filter"

// Each of these, twice.
UNTRACED static void set_and_remove(const char *file, const char *set, const char *listed) {
  char remove[128], line[128];
  snprintf(remove, sizeof remove, "!%s", listed);
  snprintf(line, sizeof line, "%s\n", listed);
  EXPECT_EQ(echo(set, file, 1), 0);
  EXPECT_TEXT(file, line);
  EXPECT_EQ(echo(remove, file, 1), 0);
  EXPECT(strstr(cat(file), listed) == NULL);
  EXPECT_EQ(echo(listed, file, 1), 0);
  EXPECT_TEXT(file, line);
  EXPECT_EQ(echo(remove, file, 1), 0);
}

UNTRACED int main(void) {
  EXPECT_EQ(echo("f:mine/work work n=$arg1:s32\nf:mine/other work", "dynamic_events", 1), 0);
  set_and_remove(TRIGGER, "traceoff", "traceoff:unlimited");
  set_and_remove(TRIGGER, "traceoff:3 if n == 7", "traceoff:count=3 if n == 7");
  set_and_remove(TRIGGER, "stacktrace if n > 1", "stacktrace:unlimited if n > 1");
  set_and_remove(TRIGGER, "enable_event:mine:other if n == 7", "enable_event:mine:other:unlimited if n == 7");
  EXPECT_EQ(echo("!traceoff:unlimited", TRIGGER, 1), -ENOENT);
  EXPECT_EQ(echo("traceoff:unlimitedly", TRIGGER, 1), -EINVAL);
  EXPECT_EQ(echo("traceoff:count=", TRIGGER, 1), -EINVAL);
  set_and_remove(FILTER, "work:traceoff", "work:traceoff:unlimited");
  set_and_remove(FILTER, "work:stacktrace:3", "work:stacktrace:count=3");
  EXPECT_EQ(echo("work:traceoff:unlimitedly", FILTER, 1), -EINVAL);
  EXPECT_EQ(echo("work:traceoff:count=", FILTER, 1), -EINVAL);
  EXPECT_EQ(echo("", "dynamic_events", 0), 0);
  return failures;
}
