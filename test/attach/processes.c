// ps --all shows a process that serves, its fork child that does not, and a process without the runtime, each by that name; --tree has the child below its parent. attach wakes the child, which serves from then on.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/processes.py %nophook %lib/libnophook.so %t %t.run
#include "turns.h"
#include <sys/wait.h>
// It forks a child that does as it does, which ends with it.
int main(int count, char **arguments) {
  int life[2], status;
  MUST(count == 2 && pipe(life) == 0);
  open_turns(arguments[1]);
  pid_t child = fork();
  if (child == 0)
    close(life[1]);
  g_turns[1 + (child == 0)] = (unsigned long)getpid();
  struct pollfd end = {child ? 0 : life[0], POLLIN, 0};
  for (; poll(&end, 1, 1) == 0; g_turns[3 + (child == 0)]++)
    turn();
  if (child) {
    close(life[1]);
    waitpid(child, &status, 0);
    MUST(status == 0);
  }
}
