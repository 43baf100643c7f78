// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of fibers that the program registers.
//
// A fiber that waits belongs to no thread. If it waits inside a version that is left, and a thread
// that has changed over resumes it, old and new versions are mixed. So a registered fiber has a
// state of its own, and so has a thread's own stack, on which nothing runs while the thread runs a
// fiber. The stack pointer decides whose state a call goes by. What waits is looked at from where
// it waits, as a thread that sleeps is.
//
// The library of fibers calls start_switch() before each switch and finish_switch() behind it.
// Neither call alone is enough. Before the switch, a handler may still run on the stack that is
// left. Behind it, one may already run on the stack that is entered. So between the calls neither
// stack is looked at.

#pragma once

#include "livepatch/tasks.h"

namespace nophook {

// The calling thread is about to leave the stack that it runs on, and to enter that of `fiber`;
// null: its own. `sp`: what lies above is live. `pc`: where the caller goes on.
void start_switch(Task *fiber, uint64_t sp, uint64_t pc);

// It has entered it.
void finish_switch();

// What a reader of the control tree is shown of a fiber that is waited for.
struct FiberFacts {
  Task *fiber;
  uint64_t stack_low, stack_high;
  int32_t tid;       // the thread that runs it; 0: it waits
  uint64_t word;     // the one that it waits with on its stack; 0: none was found
  uint32_t function; // the patched function that `word` is of; kNoFunction: it is of none
  static constexpr uint32_t kNoFunction = ~0u;
};
FiberFacts facts_of_fiber(Task *fiber);

} // namespace nophook
