// A handler that the program has installed over ours, and that calls ours for what it does not know, ends where the program's first handler was.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include <string.h>
#include "poke.h"
#include <ftrace.h>
#include <signal.h>

static int first, second;
static struct sigaction replaced;
UNTRACED static void on_first(int number) { first += number == SIGTRAP; }
UNTRACED static void on_second(int number, siginfo_t *info, void *context) {
  second++;
  replaced.sa_sigaction(number, info, context);
}
UNTRACED static void toggle(void) {
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
}
UNTRACED int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  signal(SIGTRAP, on_first);
  start_runners(1);
  toggle();
  action.sa_sigaction = on_second;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGTRAP, &action, &replaced);
  EXPECT(replaced.sa_handler != on_first);
  toggle();
  raise(SIGTRAP);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  stop_runners();
  return failures != 0;
}
