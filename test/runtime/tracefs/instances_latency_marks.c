// Each instance keeps the longest time between two marks of its own, with a snapshot of its own buffer, and a new instance does not know a start mark of the one before.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*.s17@foo.buf | FileCheck %s
// RUN: %show --python 'sorted(b.path.split(".s17")[-1] for b in buffers if b.snapshot == 17) == [".buf", "@foo.buf", "@new.buf", "@own.buf"]' %t.buf
// CHECK: leaf
#include "tree.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <trace_marker.h>

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED static void mark(const char *text) { trace_marker_write(text, strlen(text)); }
UNTRACED static void pause_ms(long ms) {
  struct timespec time = {0, ms * 1000000};
  nanosleep(&time, NULL);
}
UNTRACED static double most(const char *folder) {
  char path[96];
  snprintf(path, sizeof path, "%stracing_max_latency", folder);
  return strtod(cat(path), NULL);
}
UNTRACED static void make(const char *folder, const char *marks) {
  char path[96];
  EXPECT_EQ(tracefs_mkdir(folder), 0);
  snprintf(path, sizeof path, "%s/set_latency_marks", folder);
  EXPECT_EQ(echo(marks, path, 0), 0);
}

static atomic_int is_over;
UNTRACED static void *write_marks(void *unused) {
  while (!is_over) {
    mark("early");
    mark("late");
  }
  return unused;
}

UNTRACED int main(void) {
  make("instances/foo", "begin,end");
  make("instances/own", "one,two");
  EXPECT_TEXT("instances/foo/set_latency_marks", "begin,end\n");
  EXPECT_TEXT("set_latency_marks", "\n");
  EXPECT_EQ(echo("only one", "instances/foo/set_latency_marks", 0), -EINVAL);
  EXPECT_TEXT("instances/foo/set_latency_marks", "\n");
  EXPECT_EQ(echo("begin,end", "instances/foo/set_latency_marks", 0), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  mark("begin"); // the top level takes no mark now: that is nothing to foo
  leaf();
  pause_ms(3);
  mark("end");
  EXPECT(most("instances/foo/") >= 3000);
  EXPECT(most("instances/own/") == 0 && most("") == 0);

  EXPECT_EQ(echo("one", "instances/own/trace_marker", 0), 0);
  EXPECT_EQ(echo("two", "instances/own/trace_marker", 0), 0);
  EXPECT_EQ(echo("one", "instances/foo/trace_marker", 0), 0);
  EXPECT(most("instances/own/") > 0 && most("instances/own/") < most("instances/foo/"));

  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  EXPECT_EQ(echo("start,stop", "set_latency_marks", 0), 0);
  EXPECT_EQ(echo("0", "instances/foo/tracing_on", 0), 0);
  EXPECT_EQ(echo("0", "instances/foo/tracing_max_latency", 0), 0);
  mark("start");
  mark("begin"); // foo is paused
  mark("stop");
  mark("end");
  EXPECT(most("") > 0);
  EXPECT(most("instances/foo/") == 0);

  make("instances/old", "a,b");
  EXPECT_EQ(echo("3600000000", "instances/old/tracing_max_latency", 0), 0);
  mark("a");
  EXPECT_EQ(tracefs_rmdir("instances/old"), 0);
  make("instances/new", "a,b");
  mark("b"); // ends nothing
  EXPECT_TEXT("instances/new/tracing_max_latency", "0.000\n");
  mark("a");
  EXPECT_EQ(echo("c,b", "instances/new/set_latency_marks", 0), 0);
  mark("b"); // ends nothing
  EXPECT_TEXT("instances/new/tracing_max_latency", "0.000\n");
  mark("c");
  mark("b");
  EXPECT(most("instances/new/") > 0);

  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, write_marks, NULL), 0);
  for (int i = 0; i < 30; i++) { // it goes while the thread writes marks, and sets its buffer aside
    make("instances/gone", "early,late");
    for (int looks = 0; looks < 1000 && most("instances/gone/") == 0; looks++)
      pause_ms(1);
    EXPECT(most("instances/gone/") > 0);
    EXPECT_EQ(tracefs_rmdir("instances/gone"), 0);
  }
  is_over = 1;
  pthread_join(thread, NULL);
  return failures;
}
