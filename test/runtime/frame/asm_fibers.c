// Fibers that a few instructions switch, as in Boost.Context, keep their own traced frames.
// RUN: %traced_cc -O0 %s -o %t && %alike --must fiber_body -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must fiber_body -- %t
// RUN: %show %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <stdint.h>
#include <stdlib.h>

enum { kFibers = 10, kRounds = 100, kWords = 8192 };
// Keeps the registers of the caller on its stack and where that is in *from, and goes on at `to`.
void switch_stack(void **from, void *to);
void start_fiber(void);
__asm__(".text\n"
        "switch_stack:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  mov %rsp, (%rdi)\n"
        "  mov %rsi, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
        "  ret\n"
        "start_fiber:\n" // the number is in rbx
        "  mov %ebx, %edi\n  call fiber_body\n"
        "  mov %ebx, %edi\n  call end_fiber\n");

static void *home, *fibers[kFibers];
static long sums[kFibers];
NOINLINE static void yield(int me) { switch_stack(&fibers[me], home); }
NOINLINE static long step(int me, int depth) {
  if (depth)
    return step(me, depth - 1) + 1;
  yield(me);
  return me;
}
__attribute__((used)) NOINLINE static void fiber_body(int me) {
  for (int i = 0; i < kRounds; i++)
    sums[me] += step(me, i % 5);
}
__attribute__((used)) UNTRACED static void end_fiber(int me) { switch_stack(&fibers[me], home); }

int main(void) {
  for (long i = 0; i < kFibers; i++) {
    uintptr_t *top = (uintptr_t *)calloc(kWords, sizeof *top) + kWords - 2;
    *--top = (uintptr_t)start_fiber;
    top -= 6;
    top[4] = (uintptr_t)i;
    fibers[i] = top;
  }
  for (int round = 0; round <= kRounds; round++)
    for (int i = 0; i < kFibers; i++)
      switch_stack(&home, fibers[i]);
  for (int i = 0; i < kFibers; i++)
    EXPECT_EQ(sums[i], kRounds * i + kRounds * 2);
  return failures;
}
// CHECK: thread {{.*}} 0 tail calls, 0 unwound, 0 orphans, 0 open
