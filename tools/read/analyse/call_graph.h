// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callers and callees, summed over all threads: the tree that `nophook graph` prints.
//
//   below a function    the functions that it calls, as deep as they were; a recursive call is a
//                       level of its own
//   above a function    its callers, up to the outermost call, each with the part of the calls
//                       and of the time that came that way
//
// Calls of one function with different callers are one node only where the tree has one: in the
// tree below the outermost functions they are apart, below a chosen function they are together.

#pragma once

#include "read/analyse/call_tree.h"

#include <memory>

namespace nophook {

struct CallGraph {
  std::string name;
  uint64_t hits = 0;
  uint64_t self_ticks = 0;
  uint64_t total_ticks = 0;          // above a function: of the calls that came this way
  std::vector<CallGraph> below = {}; // most expensive first; above a function: callers
};

// The graph of all outermost functions, with the functions that they call.
CallGraph graph_of_all(CallTree &tree);

// The graph of the functions for which `chosen(key)` is true, each with the functions that it
// calls. If calls are recursive, the outermost one counts.
CallGraph graph_below(CallTree &tree, const std::function<bool(uint64_t)> &chosen);

// The graph of the same functions, each with its callers.
CallGraph graph_above(CallTree &tree, const std::function<bool(uint64_t)> &chosen);

} // namespace nophook
