// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stack tracer finds the greatest depth of a stack, and the calls that made it. Every function
// that it has (all, or those of its filter) measures at its entry; the deepest is kept with its
// return addresses. It needs no buffer.
//
// A stack ends where the C library's own data of the thread begins, which lie at its top; that of
// the first thread where the kernel has put the program's arguments. A frame that is further away
// than a stack may be lies on a fiber's stack, or on a signal stack: it does not count.

#pragma once

#include "base/status.h"
#include "capture/stack_trace.h"
#include "ops/filter.h"

namespace nophook {

constexpr uint32_t kMaxStackSteps = 64;

struct DeepestStack {
  uint64_t bytes; // depth of the stack; 0: none has been measured
  uint64_t top;
  uint32_t count;
  StackStep steps[kMaxStackSteps];
};

// All functions are under the runtime's lock, except switch_stack_tracer(), which waits for
// callbacks. Errors: those of add_ops and remove_ops.
bool stack_tracer_is_on();
Status switch_stack_tracer(bool on);
DeepestStack deepest_stack();
void reset_deepest_stack(uint64_t bytes); // only deeper stacks count from now on
Status stack_filter(Filter **filter);
Status replace_stack_filter(Filter *changed);

} // namespace nophook
