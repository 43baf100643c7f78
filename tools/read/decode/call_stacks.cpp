// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/decode/call_stacks.h"

#include <algorithm>

namespace nophook {

namespace {

// The most stacks at once. With more, the oldest stack's calls are forgotten.
constexpr size_t kMaxStacks = 4096;

} // namespace

CallStacks::Snapshot CallStacks::snapshot() const {
  Snapshot snapshot;
  snapshot.numbers = numbers_;
  snapshot.is_announced = is_announced_;
  for (uint32_t i = 0; i < stacks_.size(); i++) {
    if (i == current_)
      snapshot.current = (uint32_t)snapshot.stacks.size();
    if (i == current_ || !stacks_[i].calls.empty())
      snapshot.stacks.push_back(stacks_[i]);
  }
  return snapshot;
}

void CallStacks::restore(const Snapshot &snapshot) {
  stacks_.clear();
  for (const OpenStack &stack : snapshot.stacks)
    stacks_.push_back({stack});
  if (stacks_.empty())
    stacks_.emplace_back();
  current_ = snapshot.current < stacks_.size() ? snapshot.current : 0;
  numbers_ = snapshot.numbers;
  is_announced_ = snapshot.is_announced;
}

int64_t CallStacks::Stack::find(uint32_t id, uint16_t sp) const {
  int64_t i = (int64_t)calls.size() - 1;
  for (; i >= 0; i--)
    if (const Call &call = calls[(size_t)i]; call.id == id && call.sp == sp && !call.tail)
      break;
  return i;
}

bool CallStacks::is_ambiguous(uint32_t id, uint16_t sp) const {
  if (stacks_.size() == 1 || is_announced_)
    return false;
  int candidates = find(id, sp) >= 0;
  for (uint32_t i = 0; i < stacks_.size() && candidates < 2; i++)
    candidates += i != current_ && stacks_[i].ends_top(id, sp);
  return candidates > 1;
}

int64_t CallStacks::stack_of(uint64_t frame) const {
  int64_t found = -1;
  uint64_t nearest = kElsewhere;
  for (uint32_t i = 0; i < stacks_.size(); i++)
    if (uint64_t distance = stacks_[i].distance(frame); distance < nearest) {
      nearest = distance;
      found = i;
    }
  return found;
}

int64_t CallStacks::select_exit(uint32_t id, uint16_t sp, int64_t preferred) {
  if (preferred >= 0 && stacks_[(size_t)preferred].find(id, sp) >= 0)
    current_ = (uint32_t)preferred;
  int64_t around = find(id, sp);
  for (uint32_t i = 0; around < 0 && i < stacks_.size(); i++)
    if ((around = stacks_[i].find(id, sp)) >= 0)
      current_ = i;
  return around;
}

void CallStacks::select_other(uint64_t frame) {
  if (int64_t stack = stack_of(frame); stack >= 0)
    current_ = (uint32_t)stack;
  else if (!current().calls.empty())
    select_unused();
}

bool CallStacks::is_jump(uint64_t frame) const {
  const int64_t stack = stack_of(frame);
  return stack >= 0 && stacks_[(size_t)stack].distance(frame) > kNear;
}

// The stack that a thread began with is the one with the most calls among those of no fiber: a
// signal handler is the only reason for a second one.
void CallStacks::switch_to(const FiberStack &fiber) {
  is_announced_ = true;
  const auto is_it = [&](const Stack &stack) {
    return stack.fiber.low == fiber.low && stack.fiber.high == fiber.high &&
           (fiber.high || !stack.calls.empty());
  };
  if (is_it(current()))
    return;
  if (auto found = std::ranges::find_if(stacks_, is_it); found != stacks_.end()) {
    current_ = (uint32_t)(found - stacks_.begin());
    return;
  }
  select_unused();
  current().fiber = fiber;
}

void CallStacks::begin(uint64_t frame) {
  const uint32_t parent = stacks_[(size_t)stack_of(frame)].number;
  select_unused();
  current().parent = parent;
  current().is_bordered = true;
}

void CallStacks::select_unused() {
  for (uint32_t i = 0; i < stacks_.size(); i++)
    if (stacks_[i].calls.empty()) {
      current_ = i;
      current().parent = current().number;
      current().is_bordered = false;
      current().fiber = {};
      return;
    }
  if (stacks_.size() >= kMaxStacks)
    stacks_.erase(stacks_.begin());
  stacks_.emplace_back().number = numbers_++;
  stacks_.back().parent = stacks_.back().number;
  current_ = (uint32_t)stacks_.size() - 1;
}

bool CallStacks::select_any_open() {
  for (uint32_t i = 0; i < stacks_.size(); i++)
    if (!stacks_[i].calls.empty()) {
      current_ = i;
      return true;
    }
  return false;
}

} // namespace nophook
