// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stack of running callbacks of a thread. A signal handler may come between any two stores
// and run callbacks of its own, which leave it as it was.

#include "ops/recursion.h"

#include "ops/own_stack.h"
#include "ops/signal_frames.h"

namespace nophook {

static RecursedFunction g_recursed[kRecursedFunctions];

const RecursedFunction *recursed_functions() {
  return g_recursed;
}

static void note(uint64_t ip, uint64_t parent_ip) {
  uint32_t i = 0;
  for (; i < kRecursedFunctions - 1; i++) {
    uint64_t seen = __atomic_load_n(&g_recursed[i].ip, __ATOMIC_RELAXED);
    if (!seen && __atomic_compare_exchange_n(&g_recursed[i].ip, &seen, ip, false, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED)) {
      __atomic_store_n(&g_recursed[i].parent_ip, parent_ip, __ATOMIC_RELAXED);
      break;
    }
    if (seen == ip)
      break;
  }
  __atomic_fetch_add(&g_recursed[i].count, 1, __ATOMIC_RELAXED);
}

static bool is_running(const Thread *thread, const void *who, uint64_t place) {
  for (uint32_t i = thread->running_count; i-- > 0;)
    if (thread->running[i].who == who)
      return !handler_between(place, thread->running[i].place);
  return false;
}

// Enters an entry that is made at `here` on the stack.
static bool enter(Running entry, uint64_t here, bool stop, unsigned long ip,
                  unsigned long parent_ip, uint32_t *index) {
  Thread *thread = this_thread();
  // Code on the thread's own stack has called it, so no callback there has been left.
  bool is_called_back = is_on_own_stack(thread, here);
  if (is_called_back)
    here = entry.place = thread->own_stack_user;
  if (thread->running_count) {
    if (!is_called_back)
      drop_abandoned(thread, here);
    if (thread->running_count == kMaxRunning || (stop && is_running(thread, entry.who, here))) {
      note(ip, parent_ip);
      return false;
    }
  }
  *index = thread->running_count;
  push_running(thread, *index, entry);
  return true;
}

bool enter_nested_callback(const void *who, uint64_t frame, bool stop, unsigned long ip,
                           unsigned long parent_ip, uint32_t *index) {
  return enter({who, frame, frame}, frame, stop, ip, parent_ip, index);
}

bool enter_lock(const void *who, uint64_t place, unsigned long ip, unsigned long parent_ip,
                uint32_t *index) {
  const Thread *thread = this_thread();
  if (!thread || !thread->callback.active)
    return false;
  // The function that takes the lock returns, and handlers come where its frame was, or above. The
  // callback that has called it stays.
  const uint64_t outermost = thread->callback.active;
  const bool is_nested = thread->nested_round == thread->callback.rounds + 1;
  const uint64_t newest = is_nested ? newest_frame(place, outermost) : outermost;
  return enter({who, outermost, newest}, place, true, ip, parent_ip, index);
}

} // namespace nophook
