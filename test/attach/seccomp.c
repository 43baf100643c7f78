// A process with a seccomp filter is attached to if the filter lets through what that takes, such as Docker's. Else it is refused by the name of the call, and goes on: for each call of the list, with a filter that kills for it.
// REQUIRES: ptrace, root
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/seccomp.py %nophook %t %t.run %S/../../tools/process/stop/needed_calls.cpp
#include "turns.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
static struct sock_filter g_code[4096];
static void filter_by(const char *path) {
  int file = open(path, O_RDONLY);
  ssize_t bytes = read(file, g_code, sizeof g_code);
  struct sock_fprog program = {(unsigned short)(bytes / (ssize_t)sizeof *g_code), g_code};
  MUST(bytes > 0 && close(file) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
}
static void *filter_thread(void *path) {
  filter_by(path);
  for (;;)
    pause();
}
int main(int count, char **arguments) {
  static const struct timespec kTime = {0, 500000};
  pthread_t thread;
  MUST(count >= 3);
  open_turns(arguments[1]);
  if (count > 3)
    MUST(pthread_create(&thread, NULL, filter_thread, arguments[2]) == 0);
  else
    filter_by(arguments[2]);
  while (!has_input_ended()) {
    turn();
    MUST(nanosleep(&kTime, NULL) == 0);
  }
}
