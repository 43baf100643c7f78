// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/interval_tree.h"

#include <algorithm>
#include <unordered_map>

namespace nophook {

namespace {

// The calls that have begun and not ended, on all stacks of the thread, each with the time of the
// calls in it that have ended.
class CallsInProgress {
public:
  void step(const Step &step) {
    std::vector<Step> &stack = stacks_[step.stack];
    if (step.shape == Step::kBegin) {
      stack.push_back(step);
      stack.back().children_ticks = 0;
      stack.back().arguments = {}; // the values are gone by the end
    } else if (step.shape == Step::kEnd && !stack.empty()) {
      stack.pop_back();
      add(stack, step.ticks);
    } else if (step.is_leaf()) {
      add(stack, step.ticks);
    }
  }

  // Visits each open call as the end that it would have at this moment, innermost calls first.
  template <class Visit> void end_all(uint64_t tsc, Visit visit) {
    for (auto &[number, stack] : stacks_)
      while (!stack.empty()) {
        Step end = stack.back();
        stack.pop_back();
        end.shape = Step::kEnd;
        end.ticks = tsc - std::min(end.tsc, tsc);
        end.tsc = tsc;
        add(stack, end.ticks);
        visit(end);
      }
  }

private:
  static void add(std::vector<Step> &stack, uint64_t ticks) {
    if (!stack.empty())
      stack.back().children_ticks += ticks;
  }
  std::unordered_map<uint32_t, std::vector<Step>> stacks_;
};

// Sums by function. A total has no call twice: that of a node below one of the same function is in
// it already.
std::vector<FunctionCost> costs_of(const CallTree &tree) {
  const std::vector<CallTree::Node> &nodes = tree.nodes();
  std::unordered_map<uint64_t, FunctionCost> sums;
  for (const CallTree::Node &node : nodes) {
    bool is_recursive = false;
    for (uint32_t at = node.caller; at != CallTree::kNone && !is_recursive; at = nodes[at].caller)
      is_recursive = nodes[at].key == node.key;
    FunctionCost &sum = sums[node.key];
    sum.key = node.key;
    sum.hits += node.hits;
    sum.self_ticks += node.self_ticks;
    sum.total_ticks += is_recursive ? 0 : node.total_ticks;
  }
  std::vector<FunctionCost> costs;
  for (auto &[key, cost] : sums)
    costs.push_back(std::move(cost));
  std::ranges::sort(costs, [](const FunctionCost &a, const FunctionCost &b) {
    return std::tuple(b.self_ticks, b.hits, a.key) < std::tuple(a.self_ticks, a.hits, b.key);
  });
  return costs;
}

} // namespace

IntervalSummary summarize(Recording &recording, Functions &functions, const Interval &interval) {
  CallTree tree(functions);
  CallsInProgress open;
  Thread thread(recording, interval.stream);
  Step step;
  while (thread.timeline().next(&step) && step.tsc <= interval.to) {
    const bool begins_before = step.has_duration() && step.from() < interval.from;
    if (!interval.has(step) || begins_before || step.kind == Step::kFunction)
      continue;
    if (step.is_leaf() && step.to() > interval.to) {
      step.ticks = interval.to - step.tsc;
    }
    tree.step(thread, step);
    open.step(step);
  }
  open.end_all(interval.to, [&](const Step &end) { tree.step(thread, end); });
  IntervalSummary summary;
  summary.graph = graph_of_all(tree);
  summary.functions = costs_of(tree);
  for (const CallTree::Node &node : tree.nodes())
    summary.calls += node.hits;
  return summary;
}

} // namespace nophook
