// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analyse/call_tree.h"

#include <nophook/buffer.h>

namespace nophook {

namespace {

// Keys of callers, which are names: the number of no module, nor that of functions in none, which
// is one more.
constexpr uint64_t kCallerKey = uint64_t{0xffff'fffe} << 32;

bool is_caller(uint64_t key) {
  return key >> 32 == kCallerKey >> 32;
}

} // namespace

size_t CallTree::Hash::operator()(const Place &place) const {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15; // multiplicative hashing
  const uint64_t of_caller = ((uint64_t)place.root << 32 | place.caller) * kGolden;
  return (of_caller ^ of_caller >> 32 ^ place.key) * kGolden >> 16;
}

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

uint64_t CallTree::key_of(uint32_t process, uint32_t id) {
  constexpr uint64_t kUnknown = ~uint64_t{0}; // no key: there is no such module
  if (id >= 1u << NOPHOOK_ID_BITS) {          // of a damaged event
    std::lock_guard held(functions_.mutex());
    return functions_.key(process, id);
  }
  std::vector<uint64_t> &keys = keys_[process];
  if (id >= keys.size())
    keys.resize(id + 1, kUnknown);
  if (keys[id] == kUnknown) {
    std::lock_guard held(functions_.mutex());
    keys[id] = functions_.key(process, id);
  }
  return keys[id];
}

uint64_t CallTree::named_caller(const std::string &name, const CallPlace &place) {
  auto [at, is_new] = callers_.try_emplace(name, caller_names_.size());
  if (is_new) {
    caller_names_.push_back(name);
    call_places_.push_back(place);
  }
  return kCallerKey | at->second;
}

uint64_t CallTree::caller_key(uint32_t process, uint64_t return_address) {
  auto [at, is_new] = caller_keys_.try_emplace({process, return_address});
  if (is_new) {
    std::lock_guard held(functions_.mutex());
    at->second =
        named_caller(functions_.caller(process, return_address), {process, return_address});
  }
  return at->second;
}

std::vector<uint32_t> &CallTree::calls_of(const Thread &thread, uint32_t stack) {
  const Stack wanted = {thread.stream(), stack};
  if (!last_calls_.second || last_calls_.first != wanted)
    last_calls_ = {wanted, &open_[wanted]};
  return *last_calls_.second;
}

void CallTree::merge(CallTree &other) {
  std::vector<uint32_t> places; // of its nodes here
  for (const Node &node : other.nodes_) {
    auto [root, is_new] =
        root_numbers_.try_emplace(other.roots_[node.root], (uint32_t)roots_.size());
    if (is_new)
      roots_.push_back(root->first);
    const uint64_t key = is_caller(node.key)
                             ? named_caller(other.name(node), *other.call_place(node.key))
                             : node.key;
    const uint32_t caller = node.caller == kNone ? kNone : places[node.caller];
    places.push_back(find_or_add(root->second, caller, key));
    Node &sum = nodes_[places.back()];
    sum.hits += node.hits;
    sum.self_ticks += node.self_ticks;
    sum.total_ticks += node.total_ticks;
  }
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
  if (step.kind == Step::kFunction)
    caller = find_or_add(root_of(thread), kNone, caller_key(thread.process(), step.parent));
  else if (auto &stack = calls_of(thread, step.stack); !stack.empty())
    caller = stack.back();
  uint32_t root = caller == kNone ? root_of(thread) : nodes_[caller].root;
  return find_or_add(root, caller, key_of(thread.process(), step.id));
}

void CallTree::add_time(Node &node, const Step &step) {
  node.self_ticks += step.ticks - std::min(step.children_ticks, step.ticks);
  node.total_ticks += step.ticks;
}

void CallTree::end(const Thread &thread, const Step &step, const StepFilter::Verdict &verdict) {
  if (!step.has_start)
    return;
  const bool is_hit = step.alone && verdict.hit;
  if (step.timed) { // it has no kOpen
    Node &node = nodes_[called(thread, step)];
    node.hits += is_hit;
    if (verdict.counts)
      add_time(node, step);
    return;
  }
  auto &stack = calls_of(thread, step.stack);
  if (stack.empty())
    return;
  Node &node = nodes_[stack.back()];
  node.hits += is_hit;
  if (verdict.counts)
    add_time(node, step);
  stack.pop_back();
}

void CallTree::step(const Thread &thread, const Step &step, const StepFilter::Verdict &verdict) {
  switch (step.kind) {
  case Step::kOpen: {
    uint32_t node = called(thread, step);
    nodes_[node].hits += verdict.hit;
    calls_of(thread, step.stack).push_back(node);
    break;
  }
  case Step::kLeaf: {
    Node &node = nodes_[called(thread, step)];
    node.hits += verdict.hit;
    if (verdict.counts)
      add_time(node, step);
    break;
  }
  case Step::kEntryOnly:
  case Step::kFunction:
    nodes_[called(thread, step)].hits += verdict.hit;
    break;
  case Step::kClose:
    end(thread, step, verdict);
    break;
  case Step::kLost:
  case Step::kMark:
    break;
  }
}

} // namespace nophook
