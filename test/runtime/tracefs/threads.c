// saved_cmdlines and saved_tgids know the threads whose events are in the buffer, ended ones, too.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function -- %t
#include "tree.h"

#include <pthread.h>
#include <sys/prctl.h>

NOINLINE void leaf(void) { KEEP(0); }

static pid_t other;
UNTRACED static void *work(void *unused) {
  other = gettid();
  prctl(PR_SET_NAME, "worker");
  leaf();
  return unused;
}

UNTRACED int main(void) {
  char names[64], processes[64];
  pthread_t thread;
  EXPECT_TEXT("printk_formats", "");
  prctl(PR_SET_NAME, "first one");
  leaf();
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  snprintf(names, sizeof names, "%d first one\n%d worker\n", getpid(), other);
  EXPECT_TEXT("saved_cmdlines", names);
  snprintf(processes, sizeof processes, "%d %d\n%d %d\n", getpid(), getpid(), other, getpid());
  EXPECT_TEXT("saved_tgids", processes);
  EXPECT_TEXT("saved_cmdlines_size", "128\n");
  EXPECT_EQ(echo("1", "saved_cmdlines_size", 0), 0);
  snprintf(names, sizeof names, "%d first one\n", getpid());
  EXPECT_TEXT("saved_cmdlines", names);
  EXPECT_EQ(echo("0", "saved_cmdlines_size", 0), -EINVAL);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_TEXT("instances/foo/saved_cmdlines_size", "128\n");
  EXPECT_EQ(echo("7", "instances/foo/saved_cmdlines_size", 0), 0);
  EXPECT_TEXT("saved_cmdlines_size", "1\n");
  EXPECT_EQ(tracefs_rmdir("instances/foo"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_TEXT("instances/foo/saved_cmdlines_size", "128\n");
  return failures;
}
