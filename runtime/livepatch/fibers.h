// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of fibers that the program registers.
//
// A fiber that waits belongs to no thread. If it waits inside a version that is left, and a thread
// that has changed over resumes it, old and new versions are mixed. So a registered fiber has a
// state of its own, and so has a thread's own stack, on which nothing runs while the thread runs a
// fiber. The stack pointer decides whose state a call follows. A stack that waits is looked at from
// the place where it waits, as that of a sleeping thread is.
//
// The library of fibers calls start_switch() before each switch and finish_switch() behind it.
// Neither call alone is enough. Before the switch, a handler may still run on the stack that is
// left. Behind it, one may already run on the stack that is entered. So between the calls neither
// stack is looked at.

#pragma once

#include "livepatch/tasks.h"

namespace nophook {

// The calling thread is about to leave the stack that it runs on, and to enter that of `fiber`;
// null: its own. `sp`: the stack above it is live. `pc`: the address at which the caller continues.
void start_switch(Task *fiber, uint64_t sp, uint64_t pc);

// Called when the thread has entered the other stack.
void finish_switch();

// The facts about a pending fiber for readers of the control tree.
struct FiberFacts {
  Task *fiber;
  uint64_t stack_low, stack_high;
  int32_t tid;       // thread that runs it; 0: it waits
  uint64_t word;     // word on its stack that makes it wait; 0: none was found
  uint32_t function; // patched function in which `word` lies; kNoFunction: none
  static constexpr uint32_t kNoFunction = ~0u;
};
FiberFacts facts_of_fiber(Task *fiber);

} // namespace nophook
