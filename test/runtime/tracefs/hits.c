// The tracer hits of the top level and of instances: the kernel's table without times; beside callbacks, other tracers and each other; nothing is counted twice or missed, and counts of the profiler are not mixed with these.
// RUN: %traced_cc -O1 -pthread %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void outer(void) {
  for (int i = 0; i < 3; i++)
    leaf();
  KEEP(1);
}

#define TABLE "trace_stat/function0"
#define FOO "instances/foo/"
static const char kHead[] = "  Function                               Hit\n"
                            "  --------                               ---\n";

UNTRACED static long hits_of(const char *folder, const char *name) {
  char path[96], start[64];
  snprintf(path, sizeof path, "%s" TABLE, folder);
  snprintf(start, sizeof start, "\n  %-30s", name);
  const char *at = strstr(cat(path), start);
  char end = 0;
  long found = 0;
  if (at)
    EXPECT(sscanf(at + strlen(start), "%ld%c", &found, &end) == 2 && end == '\n');
  return found;
}

static long seen;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  seen++;
}
UNTRACED static void *in_thread(void *unused) {
  outer();
  return unused;
}

UNTRACED int main(void) {
  EXPECT_EQ(echo("hits", "current_tracer", 0), 0);
  EXPECT_TEXT("current_tracer", "hits\n");
  EXPECT_TEXT("function_profile_enabled", "0\n"); // which is profile's
  EXPECT_EQ(echo("1", "function_profile_enabled", 0), -EBUSY);
  EXPECT_TEXT(TABLE, kHead);
  outer();
  EXPECT_EQ(strncmp(cat(TABLE), kHead, sizeof kHead - 1), 0);
  EXPECT_EQ(hits_of("", "leaf"), 3);
  EXPECT_EQ(hits_of("", "outer"), 1);
  EXPECT(strstr(cat("enabled_functions"), "leaf (1)") != NULL && strstr(cat("enabled_functions"), "hits") != NULL);

  // With a callback the site leads to the list of those that listen.
  static struct ftrace_ops ops = {.func = look};
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  outer();
  EXPECT_EQ(seen, 4);
  EXPECT_EQ(hits_of("", "leaf"), 6);
  pthread_t thread; // which has no counts yet
  EXPECT_EQ(pthread_create(&thread, NULL, in_thread, NULL), 0);
  pthread_join(thread, NULL);
  EXPECT_EQ(hits_of("", "leaf"), 9);
  EXPECT_EQ(hits_of("", "outer"), 3);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  outer();
  EXPECT_EQ(hits_of("", "leaf"), 12);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  outer();
  EXPECT_EQ(hits_of("", "leaf"), 12);

  // An instance has its own.
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("hits", FOO "current_tracer", 0), 0);
  EXPECT_EQ(echo("leaf", FOO "set_ftrace_filter", 0), 0);
  outer();
  EXPECT_EQ(strncmp(cat(FOO TABLE), kHead, sizeof kHead - 1), 0);
  EXPECT_EQ(hits_of(FOO, "leaf"), 3);
  EXPECT_EQ(hits_of(FOO, "outer"), 0);
  EXPECT_EQ(echo("hits", "current_tracer", 0), 0); // begins at 0
  outer();
  EXPECT_EQ(hits_of("", "leaf"), 3);
  EXPECT_EQ(hits_of(FOO, "leaf"), 6);
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0);
  int child = fork(), status = 1;
  if (!child) {
    outer();
    _exit(hits_of("", "leaf") != 3);
  }
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(hits_of("", "leaf"), 3);

  // The profiler's counts have times: it begins again, and so does hits after it.
  EXPECT_EQ(echo("profile", "current_tracer", 0), 0);
  outer();
  EXPECT(strstr(cat(TABLE), " us ") != NULL && strstr(cat(TABLE), "Avg") != NULL);
  EXPECT_EQ(echo("hits", "current_tracer", 0), 0);
  outer();
  EXPECT_EQ(hits_of("", "leaf"), 3);
  EXPECT_EQ(echo("boot", "trace_clock", 0), 0); // it needs none
  outer();
  EXPECT_EQ(hits_of("", "leaf"), 6);
  return failures;
}
