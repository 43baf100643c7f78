// Each instance has a profiler of its own, beside the top level's and each other: calls, threads, tail calls, longjmp, thresholds, forks; its counts go with it.
// RUN: %traced_cc -O2 -pthread %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void outer(void) {
  for (int i = 0; i < 3; i++)
    leaf();
  KEEP(1);
}
NOINLINE void recursive(int depth) {
  if (depth)
    recursive(depth - 1);
  else
    usleep(2000);
  KEEP(depth);
}
NOINLINE void sleeper(void) {
  usleep(20000);
  KEEP(0);
}
NOINLINE void waiter(void) {
  sleeper();
  KEEP(2);
}
NOINLINE void tail(void) { leaf(); } // by a jump
static jmp_buf back;
NOINLINE void leaves(void) {
  KEEP(0);
  longjmp(back, 1);
}
NOINLINE void calls_leaves(void) {
  if (!setjmp(back))
    leaves();
  KEEP(3);
}

#define TABLE "trace_stat/function0"

typedef struct {
  unsigned long hits;
  double time, average;
} Row;
UNTRACED static Row row(const char *folder, const char *name) {
  char path[96], start[64];
  snprintf(path, sizeof path, "%s" TABLE, folder);
  snprintf(start, sizeof start, "\n  %-30s", name);
  Row found = {0, 0, 0};
  const char *at = strstr(cat(path), start);
  if (at)
    EXPECT_EQ(sscanf(at + strlen(start), "%lu %lf us %lf us", &found.hits, &found.time, &found.average), 3);
  return found;
}

#define FOO "instances/foo/"
#define BAR "instances/bar/"

UNTRACED static void *call_in_thread(void *unused) {
  outer();
  return unused;
}
UNTRACED static int files_of_profile(const char *name) {
  char command[4096];
  snprintf(command, sizeof command, "ls -d %s/*@%s.prof 2>/dev/null | wc -l", getenv("BUFFERS"), name);
  FILE *pipe = popen(command, "r");
  int count = -1;
  EXPECT_EQ(fscanf(pipe, "%d", &count), 1);
  pclose(pipe);
  return count;
}

UNTRACED int main(int argc, char **argv) {
  EXPECT_EQ(argc, 1);
  char folder[4096];
  snprintf(folder, sizeof folder, "%s.buf", argv[0]);
  setenv("BUFFERS", folder, 1);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_TEXT(FOO "available_tracers", "hits profile function_graph function nop\n");
  EXPECT_TEXT(FOO "function_profile_enabled", "0\n");
  EXPECT_EQ(echo("1", FOO "function_profile_enabled", 0), 0);
  EXPECT_TEXT(FOO "current_tracer", "profile\n");
  EXPECT_TEXT(BAR "current_tracer", "nop\n");
  EXPECT_EQ(echo("leaf", BAR "set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("profile", BAR "current_tracer", 0), 0);
  EXPECT_EQ(echo("boot", FOO "trace_clock", 0), -EBUSY);
  outer();
  EXPECT_EQ(row(FOO, "outer").hits, 1);
  EXPECT_EQ(row(FOO, "leaf").hits, 3);
  EXPECT_EQ(row(BAR, "leaf").hits, 3);
  EXPECT_EQ(row(BAR, "outer").hits, 0);
  EXPECT_EQ(row("", "leaf").hits, 0);
  EXPECT_EQ(files_of_profile("foo"), 1);

  EXPECT_EQ(echo("profile", "current_tracer", 0), 0); // its fast path, behind the callbacks
  EXPECT_EQ(echo("nop", BAR "current_tracer", 0), 0);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, call_in_thread, NULL), 0);
  pthread_join(thread, NULL);
  EXPECT_EQ(row(FOO, "leaf").hits, 6);
  EXPECT_EQ(row(BAR, "leaf").hits, 3);
  EXPECT_EQ(row("", "leaf").hits, 3);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);

  recursive(9); // its time is that of the outermost call, its average that of all
  Row found = row(FOO, "recursive");
  EXPECT_EQ(found.hits, 10);
  EXPECT(found.time >= 2000 && found.average >= 2000 && found.time < 9 * found.average);
  tail();
  EXPECT_EQ(row(FOO, "tail").hits, 1);
  EXPECT_EQ(row(FOO, "leaf").hits, 7);
  calls_leaves();
  calls_leaves();
  EXPECT_EQ(row(FOO, "leaves").hits, 2);
  EXPECT(row(FOO, "leaves").time == 0 && row(FOO, "calls_leaves").time > 0);
  waiter();
  EXPECT(row(FOO, "waiter").time >= row(FOO, "sleeper").time && row(FOO, "sleeper").time >= 20000);
  EXPECT_EQ(echo("0", FOO "options/graph-time", 0), 0);
  EXPECT(row(FOO, "waiter").time < row(FOO, "sleeper").time && row(FOO, "sleeper").time >= 20000);
  EXPECT_EQ(echo("1", FOO "options/graph-time", 0), 0);

  EXPECT_EQ(echo("10000", FOO "tracing_thresh", 0), 0);
  leaf();
  waiter();
  EXPECT_EQ(row(FOO, "leaf").hits, 7);
  EXPECT_EQ(row(FOO, "waiter").hits, 2);
  EXPECT_EQ(echo("0", FOO "tracing_thresh", 0), 0);

  int child = fork(), status = 1;
  if (!child) {
    leaf(); // for no instance
    _exit(tracefs_rmdir("instances/foo") != -ENOENT);
  }
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(row(FOO, "leaf").hits, 7);
  EXPECT_EQ(files_of_profile("foo"), 1);

  EXPECT_EQ(echo("0", FOO "function_profile_enabled", 0), 0);
  leaf();
  EXPECT_EQ(row(FOO, "leaf").hits, 7);
  EXPECT_EQ(echo("function", FOO "current_tracer", 0), 0);
  EXPECT_EQ(echo("1", FOO "function_profile_enabled", 0), -EBUSY);
  EXPECT_EQ(echo("nop", FOO "current_tracer", 0), 0);
  EXPECT_EQ(echo("1", FOO "function_profile_enabled", 0), 0);
  leaf();
  EXPECT_EQ(row(FOO, "leaf").hits, 1);
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0); // while it counts
  EXPECT_EQ(files_of_profile("foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(row(FOO, "leaf").hits, 0);
  EXPECT_EQ(echo("profile", FOO "current_tracer", 0), 0);
  leaf();
  EXPECT_EQ(row(FOO, "leaf").hits, 1);
  EXPECT_EQ(echo("nop", FOO "current_tracer", 0), 0);
  EXPECT_EQ(echo("boot", FOO "trace_clock", 0), 0);
  EXPECT_EQ(echo("profile", FOO "current_tracer", 0), -EINVAL);
  EXPECT_TEXT(FOO "current_tracer", "nop\n");
  return failures;
}
