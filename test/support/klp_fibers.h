// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers of ucontext, registered with the runtime, between which tests of live patches switch.

#pragma once

#include "klp.h"

#include <sys/mman.h>
#include <ucontext.h>

enum { kFiberBytes = 1 << 16 };
struct Fiber {
  ucontext_t place;
  struct klp_fiber *known; // the registered fiber; NULL: a thread's own stack
  char *stack;
};

UNTRACED static void make_fiber(struct Fiber *fiber, void (*body)(void), struct Fiber *then) {
  fiber->stack = (char *)mmap(NULL, kFiberBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  getcontext(&fiber->place);
  fiber->place.uc_stack.ss_sp = fiber->stack;
  fiber->place.uc_stack.ss_size = kFiberBytes;
  fiber->place.uc_link = &then->place;
  makecontext(&fiber->place, body, 0);
  fiber->known = klp_fiber_create(fiber->stack, kFiberBytes);
  EXPECT(fiber->known != NULL);
}
UNTRACED static void end_fiber(struct Fiber *fiber) {
  klp_fiber_destroy(fiber->known);
  munmap(fiber->stack, kFiberBytes);
}
UNTRACED __attribute__((noinline)) static void switch_fiber(struct Fiber *from, struct Fiber *to) {
  klp_fiber_start_switch(to->known);
  swapcontext(&from->place, &to->place);
  klp_fiber_finish_switch();
}
