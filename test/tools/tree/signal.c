// The calls in signal handlers, on their thread's stack and on one of its own, where depths begin at 0, are recorded as the program itself reports them.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && %python %S/../../support/same_tree.py %nophook %t 600
#include "../../support/selftree.h"
#include <signal.h>
SEEN static void leaf(int n) {
  tree_in(__func__);
  if (n % 4 == 1)
    raise(SIGUSR1);
  if (n % 4 == 2)
    raise(SIGUSR2);
  tree_out();
}
SEEN static void on_own_stack(int signal) {
  (void)signal;
  tree_in(__func__);
  leaf(2); // one handler in another
  leaf(0);
  tree_out();
}
SEEN static void on_other_stack(int signal) {
  static struct tree_stack calls;
  (void)signal;
  tree_of_fiber = &calls;
  tree_in(__func__);
  leaf(0);
  tree_out();
  tree_of_fiber = NULL;
}
SEEN static void outer(int n) {
  tree_in(__func__);
  leaf(n);
  leaf(n + 1);
  tree_out();
}
UNTRACED int main(void) {
  stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  struct sigaction here = {.sa_handler = on_own_stack}, there = {.sa_handler = on_other_stack, .sa_flags = SA_ONSTACK};
  sigaltstack(&other, NULL);
  sigaction(SIGUSR1, &here, NULL);
  sigaction(SIGUSR2, &there, NULL);
  for (int n = 0; n < 100; n++)
    outer(n);
  return tree_print();
}
