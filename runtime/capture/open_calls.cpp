// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the stack of a frame, and drops calls that are over, by stores that a handler may
// interrupt.

#include "capture/open_calls.h"

namespace nophook {
namespace {

constexpr uint64_t kElsewhere = ~uint64_t{0};
constexpr uint64_t kStackSpan = 8 << 20;
// An unrecorded caller may lie this much above the outermost recorded call.
constexpr uint64_t kSlack = 8 << 10;
// A frame this near to the innermost call belongs to its stack, without a look at other stacks.
constexpr uint64_t kNear = 4 << 10;

template <class T> T load(const T &value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}
template <class T> void store(T *at, T value) {
  __atomic_store_n(at, value, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

bool is_unused(const OpenStack &stack) {
  return !load(stack.count) && !load(stack.hidden);
}

// The distance of a frame below the innermost call; 0 if it lies among the open calls; or
// kElsewhere.
uint64_t distance(const OpenStack &stack, uint64_t frame) {
  if (is_unused(stack))
    return kElsewhere;
  uint32_t count = load(stack.count);
  uint64_t hidden = load(stack.hidden);
  uint64_t outermost = count ? load(stack.frames[0]) : hidden;
  uint64_t innermost = hidden ? hidden : load(stack.frames[count - 1]);
  if (frame > outermost && frame - outermost > kSlack)
    return kElsewhere;
  if (frame >= innermost)
    return 0;
  return innermost - frame <= kStackSpan ? innermost - frame : kElsewhere;
}

// Drops calls at or below `frame`, which are over.
void prune(OpenStack *stack, uint64_t frame) {
  uint32_t count = load(stack->count);
  while (count && load(stack->frames[count - 1]) <= frame)
    count--;
  store(&stack->count, count);
  if (load(stack->hidden) <= frame)
    store(&stack->hidden, uint64_t{0});
}

} // namespace

OpenStack *OpenCalls::find(uint64_t frame) {
  OpenStack *found = &stacks_[load(current_) % kOpenStacks];
  uint64_t nearest = distance(*found, frame);
  for (uint32_t i = 0; i < kOpenStacks && nearest > kNear; i++)
    if (uint64_t d = distance(stacks_[i], frame); d < nearest) {
      nearest = d;
      found = &stacks_[i];
    }
  return nearest == kElsewhere ? nullptr : found;
}

OpenStack *OpenCalls::enter(uint64_t frame) {
  OpenStack *stack = find(frame);
  for (uint32_t i = 0; i < kOpenStacks && !stack; i++)
    if (is_unused(stacks_[i]))
      stack = &stacks_[i];
  if (!stack) {
    uint32_t &turn = stacks_[0].next_forgotten;
    stack = &stacks_[turn++ % kOpenStacks];
    store(&stack->count, uint32_t{0});
    store(&stack->hidden, uint64_t{0});
  }
  store(&current_, (uint32_t)(stack - stacks_));
  prune(stack, frame);
  return stack;
}

void OpenCalls::leave(uint64_t frame) {
  if (OpenStack *stack = find(frame))
    prune(stack, frame);
}

void OpenCalls::forget() {
  for (OpenStack &stack : stacks_)
    if (!is_unused(stack)) // memory that was never touched stays untouched
      stack.count = 0, stack.hidden = 0;
}

void OpenCalls::keep(OpenStack *stack, uint64_t frame) {
  uint32_t count = load(stack->count);
  if (count == kOpenLevels)
    return;
  store(&stack->frames[count], frame);
  store(&stack->count, count + 1);
  store(&stack->frames[count], frame); // stored before the count, as a handler may come in between
}

} // namespace nophook
