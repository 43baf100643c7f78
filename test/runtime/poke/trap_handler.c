// The SIGTRAP handler is in place from the first batch that needs it, and in no other program; foreign
// traps in such a batch do what they would do without it: a trap without a handler kills, SIG_IGN
// ignores a signal that was sent, and a handler has the mask, the stack and the single use that it
// asked for.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 4096 -- %t trap
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 4096 -- %t
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 4096 -- %t
#include <string.h>
#include "poke.h"
#include <ftrace.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int seen, foreign, inside, masked, way, ends[2];
UNTRACED static void on_own(int number, siginfo_t *info, void *raw) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, NULL, &now);
  masked = sigismember(&now, SIGTRAP) && sigismember(&now, SIGUSR1) && !sigismember(&now, SIGUSR2);
  inside += number == SIGTRAP && info && raw;
}
UNTRACED static void set_own(int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_own;
  action.sa_flags = SA_SIGINFO | flags;
  sigaddset(&action.sa_mask, SIGUSR1);
  sigaction(SIGTRAP, &action, NULL);
}
UNTRACED static int is_installed(void) {
  struct sigaction now;
  sigaction(SIGTRAP, NULL, &now);
  return now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN && now.sa_sigaction != on_own;
}
UNTRACED static void stop(int step) {
  seen |= is_installed() << step;
  if (step == kPokeHeads && foreign) {
    sigset_t none; // the batch blocks signals in its own thread; the program's other threads do not
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    if (way == 2)
      kill(getpid(), SIGTRAP);
    else
      __asm__ volatile("int3");
  }
}
// A second thread: so there is a protocol.
UNTRACED static void *idle(void *unused) {
  char byte;
  EXPECT(read(ends[0], &byte, 1) <= 1);
  return unused;
}
UNTRACED static void change_twice(int wanted) {
  pthread_t thread;
  EXPECT_EQ(pipe(ends), 0);
  pthread_create(&thread, NULL, idle, NULL);
  for (int i = 0; i < 2; i++) {
    seen = 0;
    EXPECT_EQ(tracing_set_tracer(i ? "nop" : "function"), 0);
    EXPECT_EQ(seen, wanted);
    EXPECT_EQ(is_installed(), wanted != 0);
  }
}
UNTRACED static void pass_foreign(int which) {
  foreign = 1, way = which;
  if (way == 1)
    set_own(0);
  if (way == 2)
    signal(SIGTRAP, SIG_IGN);
  if (way == 3)
    set_own(SA_RESETHAND);
  change_twice(15);
  EXPECT_EQ(inside, way == 1 ? 2 : 0);
  EXPECT(masked || way != 1);
}
UNTRACED static int dies(int which) {
  pid_t pid = fork();
  if (pid == 0) {
    pass_foreign(which);
    _exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP;
}

UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  nophook_poke_stop = stop;
  IN_CHILD(change_twice(count == 2 ? 15 : 0));
  if (count == 2) {
    EXPECT(dies(0));
    IN_CHILD(pass_foreign(1));
    IN_CHILD(pass_foreign(2));
    EXPECT(dies(3));
  }
  return failures != 0;
}
