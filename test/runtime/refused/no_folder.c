// A fork child that finds no folder for its buffer is not traced and lives on, whatever tracer it
// asks for.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -k 1024 -- %t %t.buf
#include "program.h"
#include <ftrace.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static int child(void) {
  work(), work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  work();
  EXPECT(tracing_set_tracer("function_graph") < 0);
  work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  return failures != 0;
}
UNTRACED int main(int count, char **arguments) {
  char moved[1024];
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  work();
  snprintf(moved, sizeof moved, "%s.moved", arguments[count - 1]);
  EXPECT_EQ(rename(arguments[count - 1], moved), 0);
  pid_t pid = fork();
  if (pid == 0)
    _exit(child());
  int status = 1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  work();
  EXPECT_EQ(rename(moved, arguments[count - 1]), 0);
  return failures;
}
