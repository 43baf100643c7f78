// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/deepest_stack.h"

#include <algorithm>
#include <map>

namespace nophook {

namespace {

// The bytes that function_graph adds to the stack for each call that it surrounds
// (docs/design/graph_frame.md).
constexpr uint64_t kGraphFrameBytes = 32;

struct OpenCall {
  uint32_t id;
  uint64_t frame;
  bool has_frame; // our frame is between it and its callees
  bool is_shown;
  uint64_t base; // frame of the outermost call around it that is shown; 0: none is
  uint64_t ours; // bytes of our frames between these two

  uint64_t depth() const { return base ? base - frame - ours : 0; }
};

// The open calls of one of a thread's stacks.
struct OpenCalls {
  std::vector<OpenCall> calls;
  bool is_beyond = false;

  void push(const Step &step, bool is_shown) {
    OpenCall call = {step.id, step.frame, step.has_frame, is_shown, is_shown ? step.frame : 0, 0};
    if (!calls.empty() && calls.back().base) {
      call.base = calls.back().base;
      call.ours = calls.back().ours + (calls.back().has_frame ? kGraphFrameBytes : 0);
    }
    calls.push_back(call);
  }
};

class Reader {
public:
  Reader(DeepestStack *deepest, size_t thread, uint64_t limit,
         std::vector<StackCrossing> *crossings)
      : deepest_(deepest), thread_(thread), limit_(limit), crossings_(crossings) {}

  // All steps must pass here, also those that are not selected: their calls have bytes, too.
  void add(const Step &step, const StepFilter::Verdict &verdict) {
    if (!step.is_of_call() || step.kind == Step::kFunction)
      return;
    OpenCalls &stack = stacks_[step.stack];
    if (stack.calls.size() > step.depth)
      stack.calls.resize(step.depth);
    if (!step.begins() || step.is_timed())
      return;
    stack.push(step, verdict.selected);
    if (verdict.line)
      look(step, stack);
    if (step.shape != Step::kBegin)
      stack.calls.pop_back();
  }

private:
  void look(const Step &step, OpenCalls &stack) {
    const uint64_t bytes = stack.calls.back().depth();
    bool is_beyond = limit_ && bytes > limit_;
    if (is_beyond && !stack.is_beyond)
      crossings_->push_back({step.tsc, thread_, step.id, bytes});
    stack.is_beyond = is_beyond;
    if (!deepest_->calls.empty() && bytes <= deepest_->bytes())
      return;
    deepest_->tsc = step.tsc;
    deepest_->calls.clear();
    for (const OpenCall &call : stack.calls)
      if (call.is_shown)
        deepest_->calls.push_back({call.id, call.depth()});
  }

  DeepestStack *deepest_;
  size_t thread_;
  uint64_t limit_;
  std::vector<StackCrossing> *crossings_;
  std::map<uint32_t, OpenCalls> stacks_;
};

} // namespace

StackDepths read_stack_depths(Recording &recording, StepFilter *filter, uint64_t limit) {
  StackDepths depths;
  for (const auto &[index, stream] : recording.streams()) {
    Thread thread(recording, index);
    if (filter && !filter->wants(thread))
      continue;
    DeepestStack deepest;
    Reader reader(&deepest, depths.threads.size(), limit, &depths.crossings);
    Step step;
    while (thread.timeline().next(&step)) {
      Step judged = step;
      reader.add(step, filter ? filter->pass(thread, &judged) : StepFilter::verdict_on_all(step));
    }
    depths.skipped += thread.timeline().skipped();
    if (filter && deepest.calls.empty())
      continue;
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
