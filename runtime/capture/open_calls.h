// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorded calls that one thread has open, on each of the stacks it runs on: what
// max_graph_depth, set_graph_function and set_graph_notrace are decided by.
//
// A counter that goes up at an entry and down at an exit drifts away at the first exception,
// longjmp or tail call. As in the decoder (tools/read/decode/call_stacks.h) addresses of frames are
// kept instead: a stack grows downwards, so an entry proves that every call at or below its frame
// is over. Fibers and handlers on a stack of their own lie elsewhere: a frame belongs to the stack
// whose innermost open call it is nearest below, up to 8 MiB; one that is above all open calls of a
// stack, to none. (So stacks of fibers that lie closely below a stack that waits in a recorded call
// are taken for its depth.)
//
// Used in callbacks, and again in signal handlers that interrupt them anywhere. A handler leaves
// what was open before it as it was, and takes its own calls away again; so each store here may be
// followed by a handler that comes and goes.

#pragma once

#include <stdint.h>

namespace nophook {

constexpr uint32_t kOpenLevels = 256; // deeper ones are not kept: they count as the deepest
constexpr uint32_t kOpenStacks = 64;  // more at once, and one is forgotten

struct OpenStack {
  uint32_t count;
  uint32_t next_forgotten; // of the first stack: whose turn it is
  uint64_t hidden;         // of set_graph_notrace: the outermost open one; 0: none
  uint64_t frames[kOpenLevels];
};

class OpenCalls {
public:
  // A call begins at `frame`: those that are over by this are forgotten. What follows is about the
  // stack that it lies on.
  OpenStack *enter(uint64_t frame);

  // The call at `frame` returns: it and those below it are over.
  void leave(uint64_t frame);

  // All of them: another thread begins.
  void forget();

  // The call that has been entered last, and is on `stack`, is recorded, or hides what it calls.
  static void keep(OpenStack *stack, uint64_t frame);
  static void hide(OpenStack *stack, uint64_t frame) {
    __atomic_store_n(&stack->hidden, frame, __ATOMIC_RELAXED);
  }

private:
  OpenStack *find(uint64_t frame);

  uint32_t current_;
  OpenStack stacks_[kOpenStacks];
};

} // namespace nophook
