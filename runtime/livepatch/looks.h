// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks from outside. The runtime cannot judge a thread that runs and calls no patched function. A
// client can stop such a thread and unwind its stack. The runtime lists the code that must not be
// there, and accepts the client's verdict if neither the thread nor that list has changed since.

#pragma once

#include "livepatch/live_stack.h"

#include <stdint.h>

namespace nophook {

// A visitor of lists of code; behind each list come the threads that are to be judged by it.
struct LookVisitor {
  void (*begin)(void *context, uint64_t look, const CodeRanges &code);
  // `state` belongs to the thread, and goes back with the verdict.
  void (*thread)(void *context, int32_t tid, uint64_t state);
  void *context;
};

// The number of a list, which no other list of the process has. Under the runtime's lock.
inline uint64_t next_look() {
  static uint64_t last = 0;
  return ++last;
}

} // namespace nophook
