// An attached process that executes itself is still recorded, with and without --children, and has its settings back in the end.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/executes_itself.py %nophook %t %t.run
#include "turns.h"
int main(int count, char **arguments) {
  (void)count;
  open_turns(arguments[1]);
  g_turns[1]++;
  for (struct pollfd input = {0, POLLIN, 0}; !has_input_ended(); turn()) {
    char byte;
    if (poll(&input, 1, 1) > 0 && input.revents & POLLIN && read(0, &byte, 1) == 1)
      execl("/proc/self/exe", arguments[0], arguments[1], NULL);
  }
}
