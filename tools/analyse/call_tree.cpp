// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analyse/call_tree.h"

namespace nophook {

namespace {

// Keys of callers, which are names: the number of no module, nor that of functions in none, which
// is one more.
constexpr uint64_t kCallerKey = uint64_t{0xffff'fffe} << 32;

bool is_caller(uint64_t key) {
  return key >> 32 == kCallerKey >> 32;
}

} // namespace

uint32_t CallTree::find_or_add(uint32_t root, uint32_t caller, uint64_t key) {
  if (caller != kNone && nodes_[caller].level == kMostLevels)
    caller = nodes_[caller].caller;
  auto [at, is_new] = index_.try_emplace({root, caller, key}, (uint32_t)nodes_.size());
  if (is_new) {
    uint32_t level = caller == kNone ? 0 : nodes_[caller].level + 1;
    nodes_.push_back({.caller = caller, .root = root, .level = level, .key = key});
  }
  return at->second;
}

uint32_t CallTree::root_of(const Thread &thread) {
  auto [at, is_new] = root_numbers_.try_emplace(thread.comm(), (uint32_t)roots_.size());
  if (is_new)
    roots_.push_back(at->first);
  return at->second;
}

const std::string &CallTree::name(const Node &node) {
  if (is_caller(node.key))
    return caller_names_[(uint32_t)node.key];
  return functions_.name_of_key(node.key);
}

std::optional<CallTree::CallPlace> CallTree::call_place(uint64_t key) const {
  return is_caller(key) ? std::optional(call_places_[(uint32_t)key]) : std::nullopt;
}

// The node of a call that begins.
uint32_t CallTree::called(const Thread &thread, const Step &step) {
  uint32_t caller = kNone;
  if (step.kind == Step::kFunction) {
    auto [at, is_new] = callers_.try_emplace(functions_.caller(thread.process(), step.parent),
                                             caller_names_.size());
    if (is_new) {
      caller_names_.push_back(at->first);
      call_places_.push_back({thread.process(), step.parent});
    }
    caller = find_or_add(root_of(thread), kNone, kCallerKey | at->second);
  } else if (auto &stack = open_[{thread.stream(), step.stack}]; !stack.empty()) {
    caller = stack.back();
  }
  uint32_t root = caller == kNone ? root_of(thread) : nodes_[caller].root;
  return find_or_add(root, caller, functions_.key(thread.process(), step.id));
}

void CallTree::add_time(Node &node, const Step &step) {
  node.self_ticks += step.ticks - std::min(step.children_ticks, step.ticks);
  node.total_ticks += step.ticks;
}

void CallTree::end(const Thread &thread, const Step &step) {
  if (!step.has_start)
    return;
  if (step.timed) { // it has no kOpen
    Node &node = nodes_[called(thread, step)];
    node.hits += step.alone;
    return add_time(node, step);
  }
  auto &stack = open_[{thread.stream(), step.stack}];
  if (stack.empty())
    return;
  add_time(nodes_[stack.back()], step);
  stack.pop_back();
}

void CallTree::step(const Thread &thread, const Step &step) {
  switch (step.kind) {
  case Step::kOpen: {
    uint32_t node = called(thread, step);
    nodes_[node].hits++;
    open_[{thread.stream(), step.stack}].push_back(node);
    break;
  }
  case Step::kLeaf: {
    Node &node = nodes_[called(thread, step)];
    node.hits++;
    add_time(node, step);
    break;
  }
  case Step::kEntryOnly:
  case Step::kFunction:
    nodes_[called(thread, step)].hits++;
    break;
  case Step::kClose:
    end(thread, step);
    break;
  case Step::kLost:
  case Step::kMark:
    break;
  }
}

} // namespace nophook
