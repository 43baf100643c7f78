// A program that a child of an attached process executes is attached to with --children, and named at the end without.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/executed.py %nophook %t %t.run
#include "turns.h"
#include <sys/wait.h>
__attribute__((noinline)) static void work(void) {
  __atomic_fetch_add(&g_turns[2], 1, __ATOMIC_RELAXED);
}
int main(int count, char **arguments) {
  struct pollfd input = {0, POLLIN, 0};
  char byte;
  open_turns(arguments[1]);
  if (count > 2) // as the program that is executed
    for (g_turns[1] = (unsigned long)getpid(); !has_input_ended(); usleep(500))
      work();
  for (; count == 2 && !has_input_ended(); turn()) // a child for each byte
    if (poll(&input, 1, 1) > 0 && input.revents & POLLIN && read(0, &byte, 1) == 1 && fork() == 0)
      execl("/proc/self/exe", arguments[0], arguments[1], "executed", NULL);
  while (wait(NULL) > 0)
    continue;
}
