// Signals at 5 kHz: each handler's events and each interrupted call's are all there, once.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace -p function_graph -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %show %t.buf | FileCheck %s
#include "program.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;
static volatile long calls;
NOINLINE void work(int rounds) {
  for (volatile int i = 0; i < rounds; i = i + 1)
    ;
}
NOINLINE void on_alarm(int number) {
  handled = handled + 1;
  work(number);
  KEEP(number);
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  while (handled < 300) {
    work(3000);
    calls = calls + 1;
  }
  setitimer(ITIMER_REAL, &never, NULL);
  printf("main 1\non_alarm %d\nwork %ld\n", handled, calls + handled);
  return failures;
}
// CHECK: 0 holes, {{.*}} 0 tail calls, 0 unwound, 0 orphans, 0 open
