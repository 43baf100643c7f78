// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode/call_stacks.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr uint64_t kStackSpan = 8 << 20;

// A program with more stacks at once than this gets the oldest one's calls forgotten.
constexpr size_t kMaxStacks = 4096;

} // namespace

// 0 within the range of what is open; an empty stack is as near as its last frame.
uint64_t CallStacks::Stack::distance(uint64_t frame) const {
  uint64_t low = last_frame, high = last_frame;
  if (!calls.empty()) {
    low = std::min(low, calls.back().frame);
    high = std::max(high, calls.front().frame);
  }
  return frame < low ? low - frame : frame > high ? frame - high : 0;
}

int64_t CallStacks::Stack::find(uint32_t id, uint16_t sp) const {
  int64_t i = (int64_t)calls.size() - 1;
  while (i >= 0 && (calls[(size_t)i].id != id || calls[(size_t)i].sp != sp))
    i--;
  return i;
}

int64_t CallStacks::select_exit(uint32_t id, uint16_t sp) {
  int64_t around = find(id, sp);
  for (uint32_t i = 0; around < 0 && i < stacks_.size(); i++)
    if ((around = stacks_[i].find(id, sp)) >= 0)
      current_ = i;
  return around;
}

bool CallStacks::on_current(uint64_t frame) const {
  return current().distance(frame) <= kStackSpan;
}

void CallStacks::select(uint64_t frame) {
  if (!on_current(frame)) {
    uint64_t nearest = ~uint64_t{0};
    for (uint32_t i = 0; i < stacks_.size(); i++)
      if (uint64_t distance = stacks_[i].distance(frame); distance < nearest) {
        nearest = distance;
        current_ = i;
      }
    if (nearest > kStackSpan) {
      // Stacks that nothing is open on are gone or will be found again by their next frame.
      std::erase_if(stacks_, [](const Stack &stack) { return stack.calls.empty(); });
      if (stacks_.size() >= kMaxStacks)
        stacks_.erase(stacks_.begin());
      stacks_.emplace_back();
      current_ = (uint32_t)stacks_.size() - 1;
    }
  }
  current().last_frame = frame;
}

Call CallStacks::pop(uint64_t tsc) {
  Call call = current().calls.back();
  current().calls.pop_back();
  if (!empty())
    current().calls.back().children_ticks += tsc - call.start_tsc;
  return call;
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
