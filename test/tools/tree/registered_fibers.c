// Generators on registered stacks of 8 KiB that lie side by side, resumed by each other and never finished: their calls are recorded as they report them, from the first one on.
// RUN: %traced_cc -D_GNU_SOURCE -I%S/../../../include %s -o %t %linked && %python %S/../../support/same_tree.py %nophook %t 300
#include "../../support/selftree.h"
#include <livepatch.h>
#include <ucontext.h>
enum { kFibers = 4, kRounds = 100, kBytes = 8192 };
static char memory[kFibers][kBytes] __attribute__((aligned(64)));
static struct klp_fiber *handles[kFibers];
static ucontext_t contexts[kFibers + 1]; // the last one: where the thread began
static struct tree_stack stacks[kFibers];
static int resumed_by[kFibers];
UNTRACED static void go(int from, int to) {
  tree_of_fiber = to == kFibers ? NULL : &stacks[to];
  klp_fiber_start_switch(to == kFibers ? NULL : handles[to]);
  swapcontext(&contexts[from], &contexts[to]);
  klp_fiber_finish_switch();
}
SEEN static void leaf(int n) {
  tree_in(__func__);
  __asm__ volatile("" : "+r"(n));
  tree_out();
}
SEEN static void ask(int from, int to) {
  tree_in(__func__);
  resumed_by[to] = from;
  go(from, to);
  tree_out();
}
SEEN static void yield(int me) {
  tree_in(__func__);
  go(me, resumed_by[me]);
  tree_out();
}
// Each one asks the next, which lies above it, and answers the one that has asked it.
SEEN static void generate(int me) {
  klp_fiber_finish_switch();
  tree_in(__func__);
  for (int i = 0;; i++) {
    leaf(i);
    if (me + 1 < kFibers && i % 2)
      ask(me, me + 1);
    yield(me);
  }
}
UNTRACED int main(void) {
  for (int i = 0; i < kFibers; i++) {
    handles[i] = klp_fiber_create(memory[i], kBytes);
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = memory[i];
    contexts[i].uc_stack.ss_size = kBytes;
    makecontext(&contexts[i], (void (*)(void))generate, 1, i);
  }
  for (int round = 0; round < kRounds; round++)
    ask(kFibers, 0);
  for (int i = 0; i < kFibers; i++) // waiting fibers end with the program
    tree_of_fiber = &stacks[i], tree_to(0);
  return tree_print();
}
