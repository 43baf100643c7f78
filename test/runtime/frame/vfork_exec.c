// vfork and exec: the child's calls before exec are its parent's events, and both go on.
// RUN: %traced_cc -O0 %s -o %t && %alike --must in_child -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must in_child -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void in_child(int status) {
  char text[2] = {(char)('0' + status), 0};
  execl("/bin/sh", "sh", "-c", "exit $0", text, (char *)NULL);
  _exit(99);
}
NOINLINE static int spawn(int status) {
  pid_t pid = vfork();
  if (pid == 0)
    in_child(status);
  int result = 0;
  waitpid(pid, &result, 0);
  return WEXITSTATUS(result);
}

int main(void) {
  for (int i = 0; i < 8; i++)
    EXPECT_EQ(spawn(i), i);
  return failures;
}
// One process has a buffer: the shell has no note, and the children never got so far.
// CHECK: process vfork
// CHECK: 1 threads, 0 lost
// CHECK: 9 returned, 0 tail calls, 8 unwound, 0 orphans, 0 open
// CHECK: in_child: 8 entry
// CHECK: spawn: 8 entry, 8 exit
// CHECK-NOT: process
