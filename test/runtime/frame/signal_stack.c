// Traced handlers on an alternate stack: their calls and the interrupted ones nest aright.
// RUN: %traced_cc -O0 %s -o %t && %alike --must on_signal -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must on_signal -- %t
// RUN: %show --tree %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

NOINLINE static int inner(int depth) {
  KEEP(depth);
  return depth;
}
NOINLINE static void on_signal(int number) {
  char local;
  KEEP(&local);
  EXPECT_EQ(inner(0) + number, SIGUSR1);
}
NOINLINE static int outer(int depth) {
  char room[4096];
  KEEP(room);
  if (depth) {
    int below = outer(depth - 1);
    KEEP(room);
    return below;
  }
  raise(SIGUSR1);
  int left = inner(0);
  KEEP(room);
  return left;
}

int main(void) {
  stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  EXPECT_EQ(outer(2), 0);
  return failures;
}
// CHECK:      main {
// CHECK-NEXT:   outer {
// CHECK:        on_signal {
// CHECK-NEXT:     inner {
// CHECK-NEXT:     } inner
// CHECK-NEXT:   } on_signal
// CHECK-NEXT:   inner {
// CHECK-NEXT:   } inner
// CHECK:      } outer
// CHECK:      } main
