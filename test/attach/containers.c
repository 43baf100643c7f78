// A process in a mount, PID or user namespace of its own, or in all of them with another root, is attached to from outside, by its owner and by root. If it does not see the runtime's file, it gets a copy.
// REQUIRES: ptrace, namespaces
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: %own_mounts %python %inputs/containers.py %build %t %t.run mount pid user all
#include "turns.h"
int main(int count, char **arguments) {
  MUST(count == 2);
  open_turns(arguments[1]);
  while (!has_input_ended()) {
    turn();
    usleep(500);
  }
}
