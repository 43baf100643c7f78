// posix_spawn, plain and in a thread, with sites enabled: the new program runs, and libc's work
// between vfork and exec leaves the parent's events as they are.
// RUN: %traced_cc -O1 %s -o %t && %alike --must spawn -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
NOINLINE static int spawn(const char *status) {
  char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"exit $0", (char *)status, NULL};
  pid_t pid;
  int result = -1;
  EXPECT_EQ(posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ), 0);
  waitpid(pid, &result, 0);
  return WEXITSTATUS(result);
}
static void *body(void *unused) {
  EXPECT_EQ(spawn("7"), 7);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  EXPECT_EQ(spawn("3"), 3);
  pthread_join(thread, NULL);
  return failures;
}
// CHECK: process spawn
// CHECK: 2 threads, 0 lost
// CHECK: spawn: 1 entry, 1 exit
// CHECK: spawn: 1 entry, 1 exit
// CHECK-NOT: process
