// With event-fork, the children of threads and processes in set_event_pid are added to it; the same holds for set_event_notrace_pid.
// RUN: %traced_cc -O1 -pthread %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %show --python 'sorted((m.text, sum(n.format == 7 for n in r.marks)) for b in buffers for r in b.rings for m in r.marks if m.format == 2) == [("with", 2), ("with thread", 2), ("without", 0), ("without thread", 0)]' %t.buf
#include "tree.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE void work(void) { KEEP(0); }

static char ids[64];
UNTRACED static void fork_child(const char *name, int wanted) {
  pid_t pid = fork();
  if (pid) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
    return;
  }
  char list[96];
  snprintf(list, sizeof list, wanted ? "%s%d\n" : "%s", ids, getpid());
  EXPECT_EQ(tracefs_write("trace_marker", name, strlen(name), 0), 0);
  work();
  work();
  EXPECT_TEXT("set_event_pid", list);
  EXPECT_EQ(echo("0", "events/my/work/enable", 0), 0);
  _exit(failures);
}

UNTRACED static void *own_thread(void *unused) {
  char id[16];
  snprintf(id, sizeof id, "%d", gettid());
  EXPECT_EQ(echo(id, "set_event_pid", 0), 0);
  snprintf(ids, sizeof ids, "%s\n", id);
  work();
  fork_child("without thread", 0);
  EXPECT_EQ(echo("event-fork", "trace_options", 0), 0);
  fork_child("with thread", 1);
  EXPECT_EQ(echo("noevent-fork", "trace_options", 0), 0);
  return unused;
}

UNTRACED int main(void) {
  EXPECT_EQ(echo("p:my/work work", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("1", "events/my/work/enable", 0), 0);
  EXPECT_TEXT("options/event-fork", "0\n");
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, own_thread, NULL), 0);
  pthread_join(thread, NULL);
  snprintf(ids, sizeof ids, "%d\n", getpid());
  EXPECT_EQ(echo(ids, "set_event_pid", 0), 0);
  fork_child("without", 0);
  EXPECT_EQ(echo("1", "options/event-fork", 0), 0);
  fork_child("with", 1);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("1", "instances/foo/options/event-fork", 0), 0); // for the instance's own lists
  EXPECT_TEXT("instances/foo/options/event-fork", "1\n");
  return failures;
}
