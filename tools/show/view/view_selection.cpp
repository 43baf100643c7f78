// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes the blocks of the part, or a sample of them if they are too many, and adds up their
// calls.

#include "show/view/view_selection.h"

#include "show/view/block_reader.h"
#include "show/view/step_slice.h"

#include <algorithm>
#include <unordered_map>

namespace nophook {

namespace {

constexpr size_t kMostNodes = 100000;
constexpr uint32_t kMostDepth = 1024; // levels of the tree; a deeper call counts above
constexpr size_t kSlowest = 20;
constexpr size_t kMoreBlocks = 64; // behind the part, for calls known from their ends

class Collector {
public:
  Collector(RecordingIndex &index, const SelectionQuery &query) : index_(index), query_(query) {}

  // Adds the calls in some blocks. `is_all`: the blocks are all blocks of the part, not a sample.
  void read(const IndexedStream &stream, BlockRange range, bool is_all) {
    BlockReader reader(index_, stream, range.first, range.end);
    use_process(index_.recording().streams().at(stream.stream).process);
    stacks_.clear();
    current_ = nullptr;
    from_ = std::max(query_.from, stream.blocks[range.first].first);
    to_ = std::min(query_.to, stream.blocks[range.end - 1].last);
    now_ = 0;
    if (const Timeline::State *state = reader.state())
      for (size_t i = 0; i < state->stacks.stacks.size(); i++) {
        const OpenStack &open = state->stacks.stacks[i];
        Stack &stack = stacks_[open.number];
        for (const Call &call : open.calls)
          push(stack, function_of(call.id));
        if (i == state->stacks.current)
          current_ = &stack;
      }
    Step step;
    while (reader.next(&step))
      take(stream, step);
    pass_time(to_);
    // Calls that are known from their ends only may end behind the part and still be open in it.
    if (is_all && stream.ends_only) {
      BlockReader later(index_, stream, range.end, range.end + kMoreBlocks);
      while (later.next(&step))
        if (auto slice = step.is_timed() ? slice_of(index_, step, function_of(step.id), from_)
                                         : std::nullopt;
            slice && slice->end() > to_ && slice->start < query_.to)
          add_timed(step.stack, *slice, false);
    }
    for (auto &[stack, calls] : timed_)
      for (const TimedCall &call : calls)
        add_node(-1, call);
    timed_.clear();
  }

  SelectionAnswer answer() {
    add_totals();
    std::sort(answer_.slowest.begin(), answer_.slowest.end(), slower);
    return std::move(answer_);
  }

private:
  using Stack = std::vector<int32_t>; // indices of nodes, outermost first

  // A call in a recording with a threshold, which has only its end: callees come before callers.
  struct TimedCall {
    Slice slice;
    bool ends_within;
    std::vector<TimedCall> callees;
  };

  void add_timed(uint32_t stack, const Slice &slice, bool ends_within) {
    std::vector<TimedCall> &calls = timed_[stack];
    TimedCall call = {slice, ends_within, {}};
    size_t first = calls.size();
    // A start is computed from the end, so it may be slightly later than a callee's start.
    while (first && calls[first - 1].slice.depth > slice.depth &&
           calls[first - 1].slice.end() > slice.start)
      first--;
    call.callees.assign(std::make_move_iterator(calls.begin() + (ptrdiff_t)first),
                        std::make_move_iterator(calls.end()));
    calls.resize(first);
    calls.push_back(std::move(call));
  }

  uint64_t time_within(const Slice &slice) const {
    uint64_t begin = std::max(slice.start, query_.from), end = std::min(slice.end(), query_.to);
    return end > begin ? end - begin : 0;
  }

  void add_node(int32_t parent, const TimedCall &call) {
    uint64_t own = time_within(call.slice);
    if (!own && !call.ends_within)
      return;
    int32_t node = child(parent, call.slice.function);
    for (const TimedCall &callee : call.callees) {
      own -= std::min(own, time_within(callee.slice));
      add_node(node, callee);
    }
    if (node < 0)
      return;
    answer_.nodes[(size_t)node].own += own;
    answer_.nodes[(size_t)node].calls += call.ends_within;
  }

  void use_process(uint32_t process) {
    auto [at, is_new] = processes_.try_emplace(process, index_.functions(), process);
    functions_ = &at->second;
  }
  uint32_t function_of(uint32_t id) { return functions_->number(id); }

  static bool slower(const SlowCall &a, const SlowCall &b) {
    return a.slice.duration > b.slice.duration;
  }

  int32_t child(int32_t parent, uint32_t function) {
    if (parent >= 0)
      if (int32_t last = last_child_[(size_t)parent];
          last >= 0 && answer_.nodes[(size_t)last].function == function)
        return last;
    int32_t node = find_child(parent, function);
    if (parent >= 0)
      last_child_[(size_t)parent] = node == parent ? -1 : node;
    return node;
  }

  int32_t find_child(int32_t parent, uint32_t function) {
    uint64_t key = (uint64_t)(uint32_t)parent << 32 | function;
    auto at = children_.find(key);
    if (at != children_.end())
      return at->second;
    if (answer_.nodes.size() >= kMostNodes) {
      answer_.nodes_left_out++;
      return parent;
    }
    children_.emplace(key, (int32_t)answer_.nodes.size());
    answer_.nodes.push_back({parent, function, 0, 0, 0});
    last_child_.push_back(-1);
    return (int32_t)answer_.nodes.size() - 1;
  }

  void push(Stack &stack, uint32_t function) {
    int32_t parent = stack.empty() ? -1 : stack.back();
    stack.push_back(stack.size() >= kMostDepth ? parent : child(parent, function));
  }

  // Adds the time up to `time` to the running call.
  void pass_time(uint64_t time) {
    uint64_t begin = std::max(now_, from_), end = std::min(time, to_);
    if (current_ && !current_->empty() && current_->back() >= 0 && end > begin)
      answer_.nodes[(size_t)current_->back()].own += end - begin;
    now_ = std::max(now_, time);
  }

  bool is_selected(const IndexedStream &stream, uint32_t stack, Tracks::Place *place) const {
    for (const Tracks::Place &track : query_.tracks)
      if (track.stream == &stream && stream.tracks[track.track]->stack == stack) {
        *place = track;
        return true;
      }
    return false;
  }

  void take(const IndexedStream &stream, const Step &step) {
    uint64_t time = index_.time_of(step.tsc);
    if (!step.is_of_call())
      return;
    pass_time(time);
    Stack &stack = stacks_[step.stack];
    current_ = &stack;
    if (step.shape == Step::kBegin) {
      stack.resize(std::min<size_t>(stack.size(), step.depth));
      push(stack, function_of(step.id));
      return;
    }
    uint32_t function = function_of(step.id);
    auto slice = slice_of(index_, step, function, from_);
    if (!slice)
      return;
    int32_t node = -1;
    if (step.is_timed()) {
      Tracks::Place its;
      if (slice->start < query_.to)
        add_timed(step.stack, *slice,
                  slice->end() >= from_ && slice->end() <= to_ &&
                      is_selected(stream, step.stack, &its));
    } else if (step.ends() && !step.is_leaf()) {
      if (stack.size() > step.depth) {
        node = stack[step.depth];
        stack.resize(step.depth);
      } else {
        node = child(stack.empty() ? -1 : stack.back(), function);
      }
    } else {
      node = child(stack.empty() ? -1 : stack.back(), function);
      if (step.is_leaf()) {
        stack.push_back(node);
        pass_time(slice->end());
        stack.pop_back();
      }
    }
    Tracks::Place place;
    if (slice->end() < from_ || slice->end() > to_ || !is_selected(stream, step.stack, &place))
      return;
    if (node >= 0)
      answer_.nodes[(size_t)node].calls += step.kind != Step::kOuterCall;
    SelectedFunction &sums = sums_of(function);
    sums.calls += step.kind != Step::kOuterCall;
    if (!(slice->flags & (Slice::kInstant | Slice::kNoBegin))) {
      sums.durations.add(slice->duration);
      keep_slow(place, *slice);
    }
  }

  SelectedFunction &sums_of(uint32_t function) {
    if (function >= sums_.size())
      sums_.resize(function + size_t{1});
    if (!sums_[function])
      sums_[function] = &answer_.functions[function];
    return *sums_[function];
  }

  void keep_slow(const Tracks::Place &place, const Slice &slice) {
    if (query_.function && *query_.function != slice.function)
      return;
    auto &slowest = answer_.slowest;
    if (slowest.size() == kSlowest && slice.duration <= slowest.front().slice.duration)
      return;
    slowest.push_back({place, slice});
    std::push_heap(slowest.begin(), slowest.end(), slower);
    if (slowest.size() > kSlowest) {
      std::pop_heap(slowest.begin(), slowest.end(), slower);
      slowest.pop_back();
    }
  }

  void add_totals() {
    auto &nodes = answer_.nodes;
    for (size_t i = nodes.size(); i-- > 0;) {
      nodes[i].total += nodes[i].own;
      if (nodes[i].parent >= 0)
        nodes[(size_t)nodes[i].parent].total += nodes[i].total;
    }
    // A function that calls itself has the time of its outermost calls.
    for (const SelectedNode &node : nodes) {
      SelectedFunction &sums = answer_.functions[node.function];
      sums.own += node.own;
      bool within_itself = false;
      for (int32_t up = node.parent; up >= 0 && !within_itself; up = nodes[(size_t)up].parent)
        within_itself = nodes[(size_t)up].function == node.function;
      sums.total += within_itself ? 0 : node.total;
    }
  }

  RecordingIndex &index_;
  const SelectionQuery &query_;
  SelectionAnswer answer_;
  std::unordered_map<uint64_t, int32_t> children_; // by parent and function
  std::unordered_map<uint32_t, Stack> stacks_;     // by the number of the thread's stack
  std::unordered_map<uint32_t, std::vector<TimedCall>> timed_; // calls without callers so far
  Stack *current_ = nullptr;
  std::vector<int32_t> last_child_;      // by node: the child that was used last, or -1
  std::vector<SelectedFunction *> sums_; // by function, in answer_
  std::map<uint32_t, ProcessFunctions> processes_;
  ProcessFunctions *functions_ = nullptr;
  uint64_t from_ = 0, to_ = 0, now_ = 0;
};

} // namespace

SelectionAnswer select_calls(RecordingIndex &index, const SelectionQuery &query) {
  std::vector<IndexedStream *> streams;
  for (const Tracks::Place &place : query.tracks)
    if (std::find(streams.begin(), streams.end(), place.stream) == streams.end())
      streams.push_back(place.stream);
  size_t blocks = 0;
  for (IndexedStream *stream : streams) {
    StreamGuard guard(*stream);
    blocks += blocks_between(*stream, query.from, query.to).count();
  }
  const size_t stride = (blocks + kMostBlocksForSelection - 1) / kMostBlocksForSelection;
  Collector collector(index, query);
  size_t at = 0, read = 0;
  for (IndexedStream *stream : streams) {
    StreamGuard guard(*stream);
    BlockRange range = blocks_between(*stream, query.from, query.to);
    if (stride <= 1 && range.count()) {
      collector.read(*stream, range, true);
      read += range.count();
      continue;
    }
    for (size_t block = range.first; block < range.end; block++)
      if (at++ % stride == 0) {
        collector.read(*stream, {block, block + 1}, false);
        read++;
      }
  }
  SelectionAnswer answer = collector.answer();
  answer.covered = blocks ? (double)read / (double)blocks : 1;
  return answer;
}

} // namespace nophook
