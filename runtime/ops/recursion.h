// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursion: a callback calls something that is traced, which calls the callback, and so on.
//
// The unit is a context: the thread itself, and each signal handler in it. The same callback
// does not run twice in one context; but a handler's calls are seen even when it has interrupted
// the callback. Whether a handler lies in between is read off the stack, which costs nothing
// where there is no recursion.

#pragma once

#include "ops/thread.h"

namespace nophook {

// Enters a callback of `who` whose frame is at `frame`. False: it runs already in this context
// (only if `stop`), or kMaxRunning callbacks do; the place is kept then. Otherwise `*index` is its
// number for leave_callback().
inline bool enter_callback(const void *who, uint64_t frame, bool stop, unsigned long ip,
                           unsigned long parent_ip, uint32_t *index);
inline void leave_callback(uint32_t index);

// The same for a lock that a callback takes, in whatever function it calls: it is held until it is
// given back, or the outermost callback is gone. Not in a callback: false. `place`: on the stack.
bool enter_lock(const void *who, uint64_t place, unsigned long ip, unsigned long parent_ip,
                uint32_t *index);

// A function at which recursion was stopped, for recursed_functions.
struct RecursedFunction {
  uint64_t ip;
  uint64_t parent_ip;
  uint64_t count;
};
// Size of the list; further ones are counted in the last row.
constexpr uint32_t kRecursedFunctions = 256;
const RecursedFunction *recursed_functions();

// The following functions run for each callback.

// Room is taken first and filled afterwards, for a signal handler that comes between the two.
inline void push_running(Thread *thread, uint32_t index, Running entry) {
  __atomic_store_n(&thread->running_count, index + 1, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  thread->running[index] = entry;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// The slow path: other callbacks run in this thread, or the program's stack is not in use.
bool enter_nested_callback(const void *who, uint64_t frame, bool stop, unsigned long ip,
                           unsigned long parent_ip, uint32_t *index);

inline bool enter_callback(const void *who, uint64_t frame, bool stop, unsigned long ip,
                           unsigned long parent_ip, uint32_t *index) {
  Thread *thread = this_thread();
  if (__builtin_expect(thread->running_count || thread->own_stack_user, 0))
    return enter_nested_callback(who, frame, stop, ip, parent_ip, index);
  *index = 0;
  push_running(thread, 0, {who, frame, frame});
  return true;
}

inline void leave_callback(uint32_t index) {
  Thread *thread = this_thread();
  thread->running[index] = {};
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&thread->running_count, index, __ATOMIC_RELAXED);
}

} // namespace nophook
