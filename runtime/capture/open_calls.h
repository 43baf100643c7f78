// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorded calls that one thread has open, on each of its stacks. max_graph_depth,
// set_graph_function and set_graph_notrace depend on them.
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
// earlier calls unchanged, and removes its own calls again; so each store here may be followed by a
// handler that comes and goes.

#pragma once

#include <stdint.h>

namespace nophook {

constexpr uint32_t kOpenLevels = 256; // deeper ones are not kept: they count as the deepest
constexpr uint32_t kOpenStacks = 64; // the most stacks at once; with one more, a stack is forgotten

struct OpenStack {
  uint32_t count;
  uint32_t next_forgotten; // number of the stack that is forgotten next; in the first stack only
  uint64_t hidden;         // frame of the outermost open call that set_graph_notrace hides; 0: none
  uint64_t frames[kOpenLevels];
};

class OpenCalls {
public:
  // Begins a call at `frame`, and drops the calls that are over by then. Returns the stack that it
  // lies on, for the functions below.
  OpenStack *enter(uint64_t frame);

  // Ends the call at `frame`, and those below it.
  void leave(uint64_t frame);

  // Drops all calls, for another thread.
  void forget();

  // Keeps the call that has been entered last, on `stack`: it is recorded, or hides its callees.
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
