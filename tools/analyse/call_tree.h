// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All calls of a recording merged by their stacks, for what has no time axis, as flame graphs: one
// node for each different chain of callers. Memory grows with the different chains, not with the
// events.
//
// The times are those of `nophook report --top`: a call's own time is its duration without the
// traced calls in it. A call that began before the recording has no time and no node.

#pragma once

#include "decode/merge.h"
#include "symbols/functions.h"

#include <map>
#include <optional>

namespace nophook {

class CallTree {
public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  // A deeper call is put beside its caller, with its own calls and time: a recursion of 50,000
  // levels would be as many chains, each as long.
  static constexpr uint32_t kMostLevels = 1000;

  struct Node {
    uint32_t caller = kNone; // an index of nodes()
    uint32_t root = 0;       // a number of roots(); of all nodes
    uint32_t level = 0;      // callers above it, kMostLevels at most
    uint64_t key = 0;        // Functions::key; nothing of the caller of a kFunction
    uint64_t hits = 0;
    uint64_t self_ticks = 0;
    uint64_t total_ticks = 0; // of recursive calls each one
  };

  CallTree(Functions &functions) : functions_(functions) {}

  // The steps of all threads, and behind them the calls that are still open. A call of the function
  // tracer is one below its caller, of whose own callers nothing is known.
  void step(const Thread &thread, const Step &step);
  void still_open(const Thread &thread, const Step &step) { end(thread, step); }

  // Callers come before their callees.
  const std::vector<Node> &nodes() const { return nodes_; }
  // Command names of threads; threads with one name have the same root.
  const std::vector<std::string> &roots() const { return roots_; }
  const std::string &name(const Node &node);

  // Where the caller of a kFunction calls; nothing if `key` is that of a function that was called.
  struct CallPlace {
    uint32_t process;
    uint64_t return_address;
  };
  std::optional<CallPlace> call_place(uint64_t key) const;

private:
  using Stack = std::pair<uint32_t, uint32_t>; // stream, stack

  uint32_t find_or_add(uint32_t root, uint32_t caller, uint64_t key);
  uint32_t root_of(const Thread &thread);
  uint32_t called(const Thread &thread, const Step &step);
  void end(const Thread &thread, const Step &step);
  void add_time(Node &node, const Step &step);

  Functions &functions_;
  std::vector<Node> nodes_;
  std::vector<std::string> roots_;
  std::map<std::string, uint32_t> root_numbers_;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, uint32_t> index_; // root, caller, key
  std::map<Stack, std::vector<uint32_t>> open_;                        // nodes of open calls
  std::map<std::string, uint64_t> callers_;                            // of kFunction, by name
  std::vector<std::string> caller_names_;
  std::vector<CallPlace> call_places_; // of each caller the first one
};

} // namespace nophook
