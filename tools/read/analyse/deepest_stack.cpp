// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/deepest_stack.h"

#include <algorithm>
#include <map>

namespace nophook {

namespace {

// The bytes that function_graph adds to the stack for each call that it surrounds
// (docs/design/graph_frame.md).
constexpr uint64_t kGraphFrameBytes = 32;

// The open calls of one of a thread's stacks.
struct OpenCalls {
  struct Open {
    uint32_t id;
    uint64_t frame;
    bool has_frame; // our frame is between it and its callees
  };
  std::vector<Open> calls;
  uint64_t ours = 0; // bytes of our frames
  bool is_beyond = false;

  uint64_t depth() const { return calls.empty() ? 0 : calls.front().frame - calls.back().frame; }
  void pop() {
    ours -= calls.back().has_frame ? kGraphFrameBytes : 0;
    calls.pop_back();
  }
};

class Reader {
public:
  Reader(DeepestStack *deepest, size_t thread, uint64_t limit,
         std::vector<StackCrossing> *crossings)
      : deepest_(deepest), thread_(thread), limit_(limit), crossings_(crossings) {}

  void add(const Step &step) {
    if (!step.is_of_call() || step.kind == Step::kFunction)
      return;
    OpenCalls &stack = stacks_[step.stack];
    while (stack.calls.size() > step.depth)
      stack.pop();
    if (!step.begins() || step.is_timed())
      return;
    stack.calls.push_back({step.id, step.frame, step.has_frame});
    uint64_t bytes = stack.depth() - stack.ours;
    stack.ours += step.has_frame ? kGraphFrameBytes : 0;
    look(step, stack, bytes);
    if (step.shape != Step::kBegin)
      stack.pop();
  }

private:
  void look(const Step &step, OpenCalls &stack, uint64_t bytes) {
    bool is_beyond = limit_ && bytes > limit_;
    if (is_beyond && !stack.is_beyond)
      crossings_->push_back({step.tsc, thread_, step.id, bytes});
    stack.is_beyond = is_beyond;
    if (!deepest_->calls.empty() && bytes <= deepest_->bytes())
      return;
    deepest_->tsc = step.tsc;
    deepest_->calls.clear();
    uint64_t ours = 0;
    for (const OpenCalls::Open &call : stack.calls) {
      deepest_->calls.push_back({call.id, stack.calls.front().frame - call.frame - ours});
      ours += call.has_frame ? kGraphFrameBytes : 0;
    }
  }

  DeepestStack *deepest_;
  size_t thread_;
  uint64_t limit_;
  std::vector<StackCrossing> *crossings_;
  std::map<uint32_t, OpenCalls> stacks_;
};

} // namespace

StackDepths read_stack_depths(Recording &recording, uint64_t limit) {
  StackDepths depths;
  for (const auto &[index, stream] : recording.streams()) {
    Thread thread(recording, index);
    DeepestStack deepest;
    Reader reader(&deepest, depths.threads.size(), limit, &depths.crossings);
    Step step;
    while (thread.timeline().next(&step))
      reader.add(step);
    depths.skipped += thread.timeline().skipped();
    deepest.comm = thread.comm();
    deepest.pid = thread.pid();
    deepest.tid = thread.tid();
    deepest.process = thread.process();
    depths.threads.push_back(std::move(deepest));
  }
  std::vector<size_t> order(depths.threads.size());
  for (size_t i = 0; i < order.size(); i++)
    order[i] = i;
  std::ranges::sort(order, [&](size_t a, size_t b) {
    uint64_t x = depths.threads[a].bytes(), y = depths.threads[b].bytes();
    return x != y ? x > y : a < b;
  });
  std::vector<DeepestStack> sorted;
  std::vector<size_t> place(order.size());
  for (size_t i : order) {
    place[i] = sorted.size();
    sorted.push_back(std::move(depths.threads[i]));
  }
  depths.threads = std::move(sorted);
  for (StackCrossing &crossing : depths.crossings)
    crossing.thread = place[crossing.thread];
  std::ranges::sort(depths.crossings, {}, &StackCrossing::tsc);
  return depths;
}

} // namespace nophook
