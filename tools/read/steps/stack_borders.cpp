// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/stack_borders.h"

#include <algorithm>
#include <unordered_map>

namespace nophook {

namespace {

struct SeenStack {
  StackBorder first;    // the outermost call
  uint32_t parent = 0;  // the stack that it would be on; its own number: none
  uint64_t last = 0;    // when there was something on it
  bool returns = false; // after its parent has gone on
};

// Whether a stack that it would be a part of has gone on since there was something on this one.
bool has_waited(const std::unordered_map<uint32_t, SeenStack> &stacks, uint32_t number) {
  constexpr int kMostNested = 64; // a damaged recording may have a circle
  const SeenStack &seen = stacks.at(number);
  uint32_t at = number;
  for (int i = 0; i < kMostNested; i++) {
    auto stack = stacks.find(at);
    if (stack == stacks.end() || stack->second.parent == at)
      return false;
    at = stack->second.parent;
    if (auto parent = stacks.find(at); parent != stacks.end() && parent->second.last > seen.last)
      return true;
  }
  return false;
}

} // namespace

std::vector<StackBorder> find_stack_borders(Timeline::Source source) {
  Timeline timeline(std::move(source));
  timeline.split_jumps();
  std::unordered_map<uint32_t, SeenStack> stacks;
  std::vector<StackBorder> borders;
  uint64_t now = 0;
  Step step;
  while (timeline.next(&step)) {
    const bool begins = step.shape == Step::kBegin || step.is_leaf();
    if (!begins && step.shape != Step::kEnd && step.kind != Step::kExitOnly)
      continue;
    SeenStack &seen = stacks[step.stack];
    if (begins && !step.depth)
      seen = {{step.tsc, step.frame}, timeline.stack_parent(), 0, false};
    if (step.shape == Step::kEnd && step.end == Step::kReturned && !seen.returns &&
        has_waited(stacks, step.stack)) {
      seen.returns = true;
      borders.push_back(seen.first);
    }
    seen.last = ++now;
  }
  std::ranges::sort(borders);
  return borders;
}

std::shared_ptr<const std::vector<StackBorder>> stack_borders(const Recording &recording,
                                                              uint32_t stream) {
  StreamBorders &known = recording.borders();
  {
    std::lock_guard held(known.lock);
    if (auto at = known.of.find(stream); at != known.of.end())
      return at->second;
  }
  const RecordedStream &recorded = recording.streams().at(stream);
  auto found = std::make_shared<const std::vector<StackBorder>>(
      find_stack_borders([&, at = size_t{0}](Timeline::Words *words) mutable {
        Recording::Damages reported_elsewhere;
        for (SubbufView view; at < recorded.subbufs.size();)
          if (recording.load(recorded.subbufs[at++], &view, &reported_elsewhere)) {
            *words = {view.header, view.words, std::move(view.memory)};
            return true;
          }
        return false;
      }));
  std::lock_guard held(known.lock);
  return known.of.try_emplace(stream, std::move(found)).first->second;
}

} // namespace nophook
