// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All calls of a recording merged by their stacks, for outputs without a time axis, such as flame
// graphs: one node for each different chain of callers. Memory grows with the different chains, not
// with the events, and ends at kMostNodes: 327 million events of a static analyser took 594 MB, for
// millions of chains of which nearly all have less than a millionth of the time.
//
// A tree with kMostNodes is pruned. The half of its chains that has the least time loses its ends:
// calls and times of a node without callees go to the same function with fewer callers. So the sum
// of each function stays exact, and each chain that matters stays: the longer a chain is met, the
// less it is pruned (lossy counting, Manku and Motwani, VLDB 2002). shortened_calls() says how many
// calls have lost callers.
//
// Workers that read whole threads each have a tree, and the trees are merged after the last thread.
// While steps are added, a tree locks the functions (Functions::mutex()) to look up names that it
// does not have yet.
//
// The times are those of `nophook report --top`: a call's own time is its duration without the
// traced calls in it. A call that began before the recording has no time and no node.

#pragma once

#include "read/select/step_filter.h"

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
  static constexpr size_t kMostNodes = 1 << 18; // 16 MiB

  struct Node {
    uint32_t caller = kNone; // an index of nodes()
    uint32_t root = 0;       // an index of roots(), in all nodes
    uint32_t level = 0;      // number of callers above it, kMostLevels at most
    uint64_t key = 0;        // Functions::key, or a key of a kFunction's caller
    uint64_t hits = 0;
    uint64_t self_ticks = 0;
    uint64_t total_ticks = 0; // recursive calls each add theirs
  };

  explicit CallTree(Functions &functions, size_t most_nodes = kMostNodes)
      : functions_(functions), most_nodes_(most_nodes), prune_at_(most_nodes) {}

  // Adds a step. The ends of calls that are still open come behind the steps of all threads. A call
  // of the function tracer is one level below its caller, whose own callers are unknown.
  void step(const Thread &thread, const Step &step) {
    this->step(thread, step, StepFilter::verdict_on_all(step));
  }

  // Adds a step that a filter has judged: `verdict` says which parts of it count.
  void step(const Thread &thread, const Step &step, const StepFilter::Verdict &verdict);

  // Adds the calls of another worker's tree of the same recording.
  void merge(CallTree &other);

  // The nodes; callers come before their callees.
  const std::vector<Node> &nodes() const { return nodes_; }
  // The command names of threads; threads with one name have the same root.
  const std::vector<std::string> &roots() const { return roots_; }
  const std::string &name(const Node &node); // valid while no step is added
  uint64_t shortened_calls() const { return shortened_calls_; }
  std::string shortened_text() const; // a note for the user, or empty

  // The place from which the caller of a kFunction calls; none if `key` is that of a called
  // function.
  struct CallPlace {
    uint32_t process;
    uint64_t return_address;
  };
  std::optional<CallPlace> call_place(uint64_t key) const;

private:
  using Stack = std::pair<uint32_t, uint32_t>; // numbers of a stream and of a stack in it

  // Finds nodes by their root, caller and key: numbers of nodes, or kNone, in a hash table whose
  // size is a power of two.
  class Index {
  public:
    uint32_t *find(const std::vector<Node> &nodes, uint32_t root, uint32_t caller, uint64_t key);
    void make(const std::vector<Node> &nodes); // of these nodes, with room for as many more

    size_t room() const { return slots_.size() / 2; } // most nodes

  private:
    std::vector<uint32_t> slots_;
  };

  void prune();
  void add_to(uint32_t node, const Node &sum);
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
  Index index_;
  size_t most_nodes_;
  size_t prune_at_; // most_nodes_, or more if more nodes must stay
  uint64_t shortened_calls_ = 0;
  std::map<Stack, std::vector<uint32_t>> open_;                          // nodes of open calls
  std::pair<Stack, std::vector<uint32_t> *> last_calls_ = {{}, nullptr}; // last used entry
  std::unordered_map<uint32_t, std::vector<uint64_t>> keys_;             // by process, then by id
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> caller_keys_;        // by process and address
  std::map<std::string, uint64_t> callers_; // keys of kFunction's callers, by name
  std::vector<std::string> caller_names_;
  std::vector<CallPlace> call_places_; // first place of each caller
};

} // namespace nophook
