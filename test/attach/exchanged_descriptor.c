// A process that puts another file in the place of its copy of the library gets nothing written that it could not write itself, and attach ends.
// REQUIRES: ptrace, strace, namespaces
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: %python %inputs/exchanged_descriptor.py %nophook %inputs/container.sh %t %lib %t.run
#include "turns.h"
#include <pthread.h>
static int g_other, g_next;
static void *exchange(void *unused) {
  for (;; usleep(1))
    if (fcntl(g_next, F_GETFD) >= 0) {
      dup2(g_other, g_next);
      usleep(20000);
      close(g_next);
    }
  return unused;
}
int main(int count, char **arguments) {
  MUST(count == 4);
  open_turns(arguments[1]);
  MUST((g_other = open(arguments[2], atoi(arguments[3]))) >= 0);
  close(g_next = dup(g_other)); // the next one that the process makes
  pthread_t thread;
  MUST(pthread_create(&thread, NULL, exchange, NULL) == 0);
  while (!has_input_ended()) {
    turn();
    usleep(500);
  }
}
