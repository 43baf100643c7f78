// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All calls of a recording merged by their stacks, for what has no time axis, as flame graphs: one
// node for each different chain of callers. Memory grows with the different chains, not with the
// events.
//
// Workers that read whole threads each have a tree, and the trees are merged behind the end. While
// steps are added, a tree locks the functions (Functions::mutex()) for what it does not know yet.
//
// The times are those of `nophook report --top`: a call's own time is its duration without the
// traced calls in it. A call that began before the recording has no time and no node.

#pragma once

#include "select/step_filter.h"

#include <map>
#include <optional>
#include <unordered_map>

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
  void step(const Thread &thread, const Step &step) { this->step(thread, step, {}); }
  void still_open(const Thread &thread, const Step &step) { end(thread, step, {}); }

  // The same of a call that a filter has selected: `verdict` says what of it counts.
  void step(const Thread &thread, const Step &step, const StepFilter::Verdict &verdict);

  // Adds the calls of another tree of the same recording, which another worker has made.
  void merge(CallTree &other);

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

  struct Place { // of a node
    uint32_t root, caller;
    uint64_t key;
    bool operator==(const Place &) const = default;
  };
  struct Hash {
    size_t operator()(const Place &place) const;
  };

  uint32_t find_or_add(uint32_t root, uint32_t caller, uint64_t key);
  uint64_t key_of(uint32_t process, uint32_t id);
  uint64_t caller_key(uint32_t process, uint64_t return_address);
  uint64_t named_caller(const std::string &name, const CallPlace &place);
  std::vector<uint32_t> &calls_of(const Thread &thread, uint32_t stack);
  uint32_t root_of(const Thread &thread);
  uint32_t called(const Thread &thread, const Step &step);
  void end(const Thread &thread, const Step &step, const StepFilter::Verdict &verdict);
  void add_time(Node &node, const Step &step);

  Functions &functions_;
  std::vector<Node> nodes_;
  std::vector<std::string> roots_;
  std::map<std::string, uint32_t> root_numbers_;
  std::unordered_map<Place, uint32_t, Hash> index_;
  std::map<Stack, std::vector<uint32_t>> open_;                          // nodes of open calls
  std::pair<Stack, std::vector<uint32_t> *> last_calls_ = {{}, nullptr}; // found there
  std::unordered_map<uint32_t, std::vector<uint64_t>> keys_;             // by process, then by id
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> caller_keys_;        // by process and address
  std::map<std::string, uint64_t> callers_;                              // of kFunction, by name
  std::vector<std::string> caller_names_;
  std::vector<CallPlace> call_places_; // of each caller the first one
};

} // namespace nophook
