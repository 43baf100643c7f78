// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two halves of a switch between stacks, and the order of their stores for looks from other
// threads.

#include "livepatch/fibers.h"

#include "livepatch/transition.h"

namespace nophook {
namespace {

// Looks that have begun before fail, as the count has moved. A look that begins behind it sees that
// the stack does not wait.
void resume(Task *entered, Task *thread) {
  if (entered->is_fiber())
    __atomic_store_n(&entered->thread, thread, __ATOMIC_RELAXED);
  __atomic_store_n(&entered->place, Task::kRuns, __ATOMIC_RELAXED); // both before the exchange
  for (TaskState state = entered->load(); !entered->exchange(state, state.counted());)
    state = entered->load();
}

} // namespace

void start_switch(Task *fiber, uint64_t sp, uint64_t pc) {
  Task *thread = this_task();
  if (!thread) { // without memory for its record, no stack counts as waiting
    if (fiber)
      resume(fiber, nullptr);
    return;
  }
  finish_switch(); // the call that a fiber has left out
  Task *left = thread->fiber ? thread->fiber : thread, *entered = fiber ? fiber : thread;
  // Decides here, too: a look from outside may fail for ever if switches are frequent.
  decide_in_switch(left, sp, pc);
  __atomic_store_n(&left->waits_sp, sp, __ATOMIC_RELAXED);
  __atomic_store_n(&left->waits_pc, pc, __ATOMIC_RELAXED);
  __atomic_store_n(&left->place, reinterpret_cast<uint64_t>(thread), __ATOMIC_RELEASE);
  __atomic_store_n(&thread->enters, entered, __ATOMIC_RELEASE);
  resume(entered, thread);
}

// Another thread may have resumed the stack that this one has left, and left it again: then `place`
// is not this thread.
void finish_switch() {
  Task *thread = this_task(), *entered = thread ? thread->enters : nullptr;
  if (!entered)
    return;
  Task *left = thread->fiber ? thread->fiber : thread;
  auto leaving = reinterpret_cast<uint64_t>(thread);
  __atomic_store_n(&thread->fiber, entered == thread ? nullptr : entered, __ATOMIC_RELEASE);
  __atomic_store_n(&thread->enters, nullptr, __ATOMIC_RELEASE);
  // The stack, and its place, were stored before: pairs with a look's load.
  __atomic_compare_exchange_n(&left->place, &leaving, Task::kWaits, false, __ATOMIC_RELEASE,
                              __ATOMIC_RELAXED);
}

FiberFacts facts_of_fiber(Task *fiber) {
  const Task *thread = __atomic_load_n(&fiber->thread, __ATOMIC_RELAXED);
  const int32_t tid = fiber->runs() && thread ? thread->owner() : 0;
  return {fiber, fiber->low(), fiber->high(), tid, 0, FiberFacts::kNoFunction};
}

} // namespace nophook
