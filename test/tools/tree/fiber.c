// The calls of fibers, each on a stack of its own with its own depths, are recorded as the program itself reports them.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && %python %S/../../support/same_tree.py %nophook %t 400
#include "../../support/selftree.h"
#include <ucontext.h>
enum { kFibers = 5, kRounds = 20 };
static ucontext_t home, fibers[kFibers];
static struct tree_stack stacks[kFibers];
UNTRACED static void yield(int me) {
  tree_of_fiber = NULL;
  swapcontext(&fibers[me], &home);
}
SEEN static void step(int me, int depth) {
  tree_in(__func__);
  if (depth)
    step(me, depth - 1);
  else
    yield(me);
  tree_out();
}
SEEN static void fiber_body(int me) {
  tree_in(__func__);
  for (int i = 0; i < kRounds; i++)
    step(me, (me + i) % 5);
  tree_out();
  tree_of_fiber = NULL;
}
SEEN static void turn(int me) {
  tree_in(__func__);
  tree_of_fiber = &stacks[me];
  swapcontext(&home, &fibers[me]);
  tree_out();
}
UNTRACED int main(void) {
  for (int i = 0; i < kFibers; i++) {
    getcontext(&fibers[i]);
    fibers[i].uc_stack.ss_sp = malloc(64 << 10);
    fibers[i].uc_stack.ss_size = 64 << 10;
    fibers[i].uc_link = &home;
    makecontext(&fibers[i], (void (*)(void))fiber_body, 1, i);
  }
  for (int round = 0; round <= kRounds; round++)
    for (int i = 0; i < kFibers; i++)
      turn(i);
  return tree_print();
}
