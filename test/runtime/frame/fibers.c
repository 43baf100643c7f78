// Fibers switched by swapcontext keep their own traced frames.
// RUN: %traced_cc -O0 %s -o %t && %alike --must fiber_body -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must fiber_body -- %t
// RUN: %show %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <stdlib.h>
#include <ucontext.h>

enum { kFibers = 10, kRounds = 100 };
static ucontext_t home, fibers[kFibers];
static long sums[kFibers];
NOINLINE static void yield(int me) { swapcontext(&fibers[me], &home); }
NOINLINE static long step(int me, int depth) {
  if (depth)
    return step(me, depth - 1) + 1;
  yield(me);
  return me;
}
NOINLINE static void fiber_body(int me) {
  for (int i = 0; i < kRounds; i++)
    sums[me] += step(me, i % 5);
}

int main(void) {
  for (int i = 0; i < kFibers; i++) {
    getcontext(&fibers[i]);
    fibers[i].uc_stack.ss_sp = malloc(64 << 10);
    fibers[i].uc_stack.ss_size = 64 << 10;
    fibers[i].uc_link = &home;
    makecontext(&fibers[i], (void (*)(void))fiber_body, 1, i);
  }
  for (int round = 0; round <= kRounds; round++)
    for (int i = 0; i < kFibers; i++)
      swapcontext(&home, &fibers[i]);
  for (int i = 0; i < kFibers; i++)
    EXPECT_EQ(sums[i], kRounds * i + kRounds * 2);
  return failures;
}
// CHECK: thread {{.*}} 0 tail calls, 0 unwound, 0 orphans, 0 open
