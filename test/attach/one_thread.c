// If all threads of a process sleep, one of them is stopped, once, to load the runtime; the others are not traced for a moment.
// REQUIRES: ptrace, strace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/one_thread.py %nophook %t %t.run
#include "turns.h"
#include <pthread.h>
static void *sleep_on(void *unused) {
  for (;;)
    pause();
  return unused;
}
static void *take_turns(void *unused) {
  for (;; usleep(1000))
    turn();
  return unused;
}
int main(int count, char **arguments) {
  pthread_t thread;
  char byte;
  MUST(count == 2);
  open_turns(arguments[1]);
  for (int i = 0; i < 8; i++)
    MUST(pthread_create(&thread, NULL, sleep_on, NULL) == 0);
  MUST(pthread_create(&thread, NULL, take_turns, NULL) == 0);
  MUST(read(0, &byte, 1) == 0);
}
