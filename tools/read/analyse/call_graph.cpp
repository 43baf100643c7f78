// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/call_graph.h"

#include <algorithm>
#include <map>

namespace nophook {

namespace {

using Node = CallTree::Node;

// A graph while it grows: its children by their names, which live in the tree.
struct Growing {
  uint64_t hits = 0, self_ticks = 0, total_ticks = 0;
  std::map<std::string_view, Growing> children;

  void add(const Node &node) {
    hits += node.hits;
    self_ticks += node.self_ticks;
    total_ticks += node.total_ticks;
  }
};

CallGraph finished(Growing &&growing, std::string_view name) {
  CallGraph graph = {std::string(name), growing.hits, growing.self_ticks, growing.total_ticks};
  for (auto &[child, node] : growing.children) {
    CallGraph finished_child = finished(std::move(node), child);
    if (finished_child.hits || finished_child.total_ticks || !finished_child.below.empty())
      graph.below.push_back(std::move(finished_child)); // else it is outside of the time
  }
  if (!graph.hits && !graph.total_ticks) // a caller, known by its callees only
    for (const CallGraph &callee : graph.below)
      graph.hits += callee.hits;
  std::ranges::sort(graph.below, [](const CallGraph &a, const CallGraph &b) {
    return std::tuple(b.total_ticks, b.hits, a.name) < std::tuple(a.total_ticks, a.hits, b.name);
  });
  return graph;
}

// The graph of a root that is no function: its sums are those of the outermost functions.
CallGraph finished_root(Growing &&root) {
  CallGraph graph = finished(std::move(root), "");
  graph.hits = 0;
  for (const CallGraph &outermost : graph.below) {
    graph.hits += outermost.hits;
    graph.total_ticks += outermost.total_ticks;
  }
  return graph;
}

} // namespace

CallGraph graph_of_all(CallTree &tree) {
  Growing root;
  std::vector<Growing *> places;
  for (const Node &node : tree.nodes()) { // callers come first
    Growing &above = node.caller == CallTree::kNone ? root : *places[node.caller];
    Growing &place = above.children[tree.name(node)];
    place.add(node);
    places.push_back(&place);
  }
  return finished_root(std::move(root));
}

CallGraph graph_below(CallTree &tree, const std::function<bool(uint64_t)> &chosen) {
  Growing root;
  std::vector<Growing *> places; // null: not below a chosen function
  for (const Node &node : tree.nodes()) {
    Growing *above = node.caller == CallTree::kNone ? nullptr : places[node.caller];
    if (!above && chosen(node.key))
      above = &root;
    Growing *place = above ? &above->children[tree.name(node)] : nullptr;
    if (place)
      place->add(node);
    places.push_back(place);
  }
  return finished_root(std::move(root));
}

CallGraph graph_above(CallTree &tree, const std::function<bool(uint64_t)> &chosen) {
  Growing root;
  const std::vector<Node> &nodes = tree.nodes();
  std::vector<bool> is_below(nodes.size()); // whether a node is a chosen function, or below one
  for (size_t i = 0; i < nodes.size(); i++) {
    const Node &node = nodes[i];
    bool caller_is = node.caller != CallTree::kNone && is_below[node.caller];
    bool is_chosen = chosen(node.key);
    is_below[i] = caller_is || is_chosen;
    if (!is_chosen || caller_is)
      continue;
    Growing *place = &root.children[tree.name(node)];
    place->add(node);
    for (uint32_t at = node.caller; at != CallTree::kNone; at = nodes[at].caller) {
      place = &place->children[tree.name(nodes[at])];
      place->hits += node.hits;
      place->total_ticks += node.total_ticks;
    }
  }
  return finished_root(std::move(root));
}

} // namespace nophook
