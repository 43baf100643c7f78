// Depth and roots hold after calls that are left by exceptions and longjmp, in tail calls, on
// fibers and in handlers on a stack of their own.
// RUN: %traced_cxx -O2 %s -o %t
// RUN: %trace -s max_graph_depth=1 -l 'r*' -l leaf -- %t && %show --count %t.buf | FileCheck --check-prefix=DEPTH %s
// RUN: %trace -s set_graph_function=r* -- %t && %show --count %t.buf | FileCheck --check-prefix=ROOT %s
#include "program.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
extern "C" {
static jmp_buf back;
static ucontext_t home, fiber;
NOINLINE void leaf(int n) { KEEP(n); }
NOINLINE void outside(int n) { KEEP(n); }
NOINLINE void r_throws(void) {
  leaf(1);
  throw 1;
}
NOINLINE void r_jumps(void) {
  leaf(2);
  longjmp(back, 1);
}
NOINLINE void r_tail(int n) { __attribute__((musttail)) return leaf(n); }
NOINLINE void r_switches(void) {
  leaf(3);
  swapcontext(&home, &fiber);
  leaf(4);
}
static void on_fiber(void) {
  outside(1);
  swapcontext(&fiber, &home);
}
NOINLINE void r_raises(void) {
  raise(SIGUSR1);
  leaf(5);
}
static void handler(int n) { outside(n); }
}
UNTRACED static void everything() {
  try {
    r_throws();
  } catch (int) {
  }
  outside(2);
  if (!setjmp(back))
    r_jumps();
  outside(3);
  r_tail(6);
  outside(4);
  getcontext(&fiber);
  fiber.uc_stack.ss_size = 256 << 10;
  fiber.uc_stack.ss_sp = malloc(fiber.uc_stack.ss_size);
  fiber.uc_link = &home;
  makecontext(&fiber, on_fiber, 0);
  r_switches();
  outside(5);
  r_raises();
  outside(6);
}
UNTRACED int main() {
  stack_t stack = {};
  stack.ss_sp = malloc(64 << 10);
  stack.ss_size = 64 << 10;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < 3; i++)
    everything();
  return failures;
}
// DEPTH-NOT: leaf
// DEPTH: r_jumps: 3 entry
// DEPTH: r_raises: 3 entry, 3 exit
// DEPTH: r_switches: 3 entry, 3 exit
// DEPTH: r_tail: 3 entry, 3 exit
// DEPTH: r_throws: 3 entry
// ROOT: leaf: 9 entry, 9 exit, 9 tail
// ROOT-NOT: outside
// ROOT: r_jumps: 3 entry
// ROOT: r_throws: 3 entry
