// A program with a signal each millisecond, whose handlers are traced and allocate nothing, gets each call's result as by itself: a call that a handler interrupts fails with EINTR, and no other call does.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t %t.run %rounds 1000
#include "turns.h"
#include <signal.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
static volatile sig_atomic_t g_signals;
__attribute__((noinline)) static void handle(int number) {
  g_signals += number == SIGALRM;
}
int main(int count, char **arguments) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  struct epoll_event event;
  MUST(count == 3);
  struct itimerval each = {{0, atoi(arguments[2])}, {0, atoi(arguments[2])}};
  int set = epoll_create1(0);
  open_turns(arguments[1]);
  // The signals by which attach would learn of the end of its call, if the program did not handle them.
  MUST(signal(SIGWINCH, (void (*)(int))abort) != SIG_ERR && signal(SIGURG, (void (*)(int))abort) != SIG_ERR);
  MUST(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &each, NULL) == 0);
  while (!has_input_ended()) {
    sig_atomic_t before = g_signals;
    // Only a handler ends this wait.
    MUST(epoll_wait(set, &event, 1, -1) == -1 && errno == EINTR && g_signals != before);
    turn();
  }
}
