// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode/call_stacks.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr uint64_t kStackSpan = 8 << 20;

// A caller that is not traced may be this much above the outermost call that is: when an
// exception or longjmp has left that call, the next one begins up there.
constexpr uint64_t kSlack = 8 << 10;

// As near to the innermost call as this, no other stack is asked.
constexpr uint64_t kNear = 4 << 10;

// A program with more stacks at once than this gets the oldest one's calls forgotten.
constexpr size_t kMaxStacks = 4096;

} // namespace

uint64_t CallStacks::Stack::distance(uint64_t frame) const {
  if (calls.empty() || (frame > calls.front().frame && frame - calls.front().frame > kSlack))
    return kElsewhere;
  if (frame >= calls.back().frame)
    return 0;
  uint64_t below = calls.back().frame - frame;
  return below <= kStackSpan ? below : kElsewhere;
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
  return current().distance(frame) != kElsewhere;
}

void CallStacks::select(uint64_t frame) {
  uint64_t nearest = current().distance(frame);
  if (nearest <= kNear)
    return;
  for (uint32_t i = 0; i < stacks_.size(); i++)
    if (uint64_t distance = stacks_[i].distance(frame); distance < nearest) {
      nearest = distance;
      current_ = i;
    }
  if (nearest == kElsewhere && !current().calls.empty())
    select_unused();
}

void CallStacks::select_unused() {
  for (uint32_t i = 0; i < stacks_.size(); i++)
    if (stacks_[i].calls.empty()) {
      current_ = i;
      return;
    }
  if (stacks_.size() >= kMaxStacks)
    stacks_.erase(stacks_.begin());
  stacks_.emplace_back();
  current_ = (uint32_t)stacks_.size() - 1;
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
