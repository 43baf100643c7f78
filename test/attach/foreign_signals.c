// A program that gets SIGWINCH all the time, while its thread loads the runtime, goes on: no signal but the one that ends the call is taken for its end, and the loader's lock is free afterwards.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run %rounds
#include "turns.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
static pthread_t g_main;
static void *send_all_the_time(void *unused) {
  for (;;)
    pthread_kill(g_main, SIGWINCH);
  return unused;
}
int main(int count, char **arguments) {
  pthread_t sender;
  g_main = pthread_self();
  MUST(count == 2);
  open_turns(arguments[1]);
  MUST(pthread_create(&sender, NULL, send_all_the_time, NULL) == 0);
  while (!has_input_ended()) {
    usleep(1000);
    void *library = dlopen("libm.so.6", RTLD_NOW);
    MUST(library && dlclose(library) == 0);
    turn();
  }
}
