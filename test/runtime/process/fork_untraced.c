// With function_fork=0 a child of fork, and a child of that, is not traced and runs on; its parent is.
// A child that starts a tracer itself has a buffer of its own.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -s function_fork=0 -p function -- %t 0 > %t.out && %show --expect %t.out %t.buf
// RUN: %show --python 'len(buffers) == 1' %t.buf
// RUN: %trace_linked -s function_fork=0 -p function_graph -- %t 0 && %show --python 'len(buffers) == 1' %t.buf
// RUN: %trace_linked -s function_fork=1 -p function -- %t 0 && %show --python 'len(buffers) == 3' %t.buf
// RUN: %trace_linked -s function_fork=0 -p function -- %t 1 && %show --python 'len(buffers) == 2' %t.buf
#include "text.h"
#include <ftrace.h>
#include <sys/wait.h>
NOINLINE static void work(void) { KEEP(0); }
UNTRACED static int in_child(int depth, int starts) {
  work();
  pid_t pid = depth ? fork() : -1;
  if (pid == 0)
    _exit(in_child(depth - 1, 0));
  int status = 0;
  EXPECT(pid < 0 || (waitpid(pid, &status, 0) == pid && status == 0));
  if (starts) {
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(tracing_set_tracer("function"), 0);
  }
  work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}

UNTRACED int main(int count, char **arguments) {
  int status = -1;
  EXPECT_EQ(count, 2);
  work();
  pid_t pid = fork();
  if (pid == 0)
    _exit(in_child(1, atoi(arguments[1])));
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  work();
  printf("work 2\n");
  return failures;
}
