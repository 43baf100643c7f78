// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/call_tree.h"

#include "foundation/counted.h"

#include <algorithm>
#include <bit>
#include <nophook/buffer.h>

namespace nophook {

namespace {

// The upper half of the keys of callers, which have names only: a number that no module has, and
// neither have functions in no module, whose number is one more.
constexpr uint64_t kCallerKey = uint64_t{0xffff'fffe} << 32;

bool is_caller(uint64_t key) {
  return key >> 32 == kCallerKey >> 32;
}

} // namespace

// The slot that has the node's number, or in which it is to be stored.
uint32_t *CallTree::Index::find(const std::vector<Node> &nodes, uint32_t root, uint32_t caller,
                                uint64_t key) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15; // multiplicative hashing
  const uint64_t of_caller = ((uint64_t)root << 32 | caller) * kGolden;
  uint64_t at = (of_caller ^ of_caller >> 32 ^ key) * kGolden >> 16;
  for (;; at++) {
    uint32_t *slot = &slots_[at & (slots_.size() - 1)];
    if (*slot == kNone)
      return slot;
    const Node &node = nodes[*slot];
    if (node.key == key && node.caller == caller && node.root == root)
      return slot;
  }
}

void CallTree::Index::make(const std::vector<Node> &nodes) {
  constexpr size_t kLeast = 64;
  slots_.assign(std::max(kLeast, std::bit_ceil(4 * nodes.size())), kNone);
  for (uint32_t i = 0; i < nodes.size(); i++)
    *find(nodes, nodes[i].root, nodes[i].caller, nodes[i].key) = i;
}

uint32_t CallTree::find_or_add(uint32_t root, uint32_t caller, uint64_t key) {
  if (caller != kNone && nodes_[caller].level == kMostLevels)
    caller = nodes_[caller].caller;
  if (nodes_.size() >= index_.room())
    index_.make(nodes_);
  uint32_t *slot = index_.find(nodes_, root, caller, key);
  if (*slot == kNone) {
    uint32_t level = caller == kNone ? 0 : nodes_[caller].level + 1;
    *slot = (uint32_t)nodes_.size();
    nodes_.push_back({.caller = caller, .root = root, .level = level, .key = key});
  }
  return *slot;
}

void CallTree::add_to(uint32_t node, const Node &sum) {
  nodes_[node].hits += sum.hits;
  nodes_[node].self_ticks += sum.self_ticks;
  nodes_[node].total_ticks += sum.total_ticks;
}

// Nodes keep their order, so callers still come before their callees.
void CallTree::prune() {
  using Weight = std::pair<uint64_t, uint64_t>;
  auto weight = [](const Node &node) { return Weight(node.total_ticks, node.hits); };
  std::vector<Weight> weights;
  for (const Node &node : nodes_)
    weights.push_back(weight(node));
  const auto cut = weights.end() - (ptrdiff_t)most_nodes_ / 2;
  std::ranges::nth_element(weights, cut);
  const Weight least = *cut;

  std::vector<bool> stays(nodes_.size());
  for (const auto &[stack, calls] : open_)
    for (uint32_t node : calls)
      stays[node] = true;
  for (size_t i = nodes_.size(); i-- > 0;) { // callees come first
    // A node without a caller takes up the calls that are pruned elsewhere.
    stays[i] = stays[i] || weight(nodes_[i]) > least || nodes_[i].caller == kNone;
    if (stays[i] && nodes_[i].caller != kNone)
      stays[nodes_[i].caller] = true;
  }
  std::vector<Node> all = std::exchange(nodes_, {});
  std::vector<uint32_t> places(all.size(), kNone);
  for (size_t i = 0; i < all.size(); i++) {
    if (!stays[i])
      continue;
    places[i] = (uint32_t)nodes_.size();
    nodes_.push_back(all[i]);
    if (all[i].caller != kNone)
      nodes_.back().caller = places[all[i].caller];
  }
  index_.make(nodes_);
  for (size_t i = 0; i < all.size(); i++) {
    if (stays[i])
      continue;
    shortened_calls_ += all[i].hits;
    uint32_t caller = all[i].caller;
    while (caller != kNone) {
      caller = all[caller].caller;
      if (caller != kNone && !stays[caller])
        continue;
      const uint32_t place = caller == kNone ? kNone : places[caller];
      if (caller == kNone || *index_.find(nodes_, all[i].root, place, all[i].key) != kNone) {
        add_to(find_or_add(all[i].root, place, all[i].key), all[i]);
        break;
      }
    }
  }
  for (auto &[stack, calls] : open_)
    for (uint32_t &node : calls)
      node = places[node];
  // Calls that are open and functions without callers stay. A tree that has more than a few of them
  // grows by half before it is pruned again, so that each node pays for what pruning costs.
  prune_at_ = std::max(most_nodes_, nodes_.size() + nodes_.size() / 2);
}

std::string CallTree::shortened_text() const {
  return shortened_calls_
             ? fmt::format("{} with fewer callers than they had: there are too many "
                           "different chains of callers to keep those of little time",
                           counted(shortened_calls_, "call is shown", "calls are shown"))
             : "";
}

uint64_t CallTree::key_of(uint32_t process, uint32_t id) {
  constexpr uint64_t kUnknown = ~uint64_t{0}; // no key: there is no such module
  if (id >= 1u << NOPHOOK_ID_BITS) {          // the event is damaged
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
  std::vector<uint32_t> places; // the other tree's nodes here: their numbers
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
    add_to(places.back(), node);
  }
  shortened_calls_ += other.shortened_calls_;
  if (nodes_.size() >= prune_at_)
    prune();
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
  auto &stack = calls_of(thread, step.stack);
  if (stack.empty())
    return;
  Node &node = nodes_[stack.back()];
  node.hits += verdict.hit;
  if (verdict.counts)
    add_time(node, step);
  stack.pop_back();
}

void CallTree::step(const Thread &thread, const Step &step, const StepFilter::Verdict &verdict) {
  if (nodes_.size() >= prune_at_)
    prune();
  if (!step.is_of_call() || step.kind == Step::kExitOnly)
    return;
  switch (step.shape) {
  case Step::kBegin: {
    uint32_t node = called(thread, step);
    nodes_[node].hits += verdict.hit;
    calls_of(thread, step.stack).push_back(node);
    break;
  }
  case Step::kEnd:
    end(thread, step, verdict);
    break;
  case Step::kInterval: {
    Node &node = nodes_[called(thread, step)];
    node.hits += verdict.hit;
    if (verdict.counts)
      add_time(node, step);
    break;
  }
  case Step::kInstant:
    nodes_[called(thread, step)].hits += verdict.hit;
    break;
  }
}

} // namespace nophook
