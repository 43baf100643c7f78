// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread's events as steps, in the order of time.
//
// A call of function_graph becomes a start and an end, or one interval if nothing was recorded in
// between. Which of the two it is takes a look at the next event, and an exit that several
// fibers may mean takes a look at some more; memory is otherwise the depth of the calls,
// whatever the length of the recording.
//
// Calls that end without an exit (exceptions, longjmp, tail calls that were replaced or whose
// caller returned) get their end when a later event proves that they are over, with that
// event's time; those that are open when their thread says that it ends, with that time.
//
// A stream may begin in the middle of calls, as a fork child's does, and say which (kEventOpen).
// These are kOuterCall: they begin where the stream does, or at the fork.

#pragma once

#include "read/decode/call_stacks.h"
#include "read/decode/decoder.h"
#include "read/recording/parts.h"
#include "read/steps/step_source.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace nophook {

class Timeline {
public:
  struct Words {
    nophook_subbuf header;
    std::span<const uint64_t> words;
    std::shared_ptr<const uint64_t[]> memory; // owner of the words, if they are to be kept for us
  };
  // Gives the thread's next sub-buffer; false when there is none left.
  using Source = std::function<bool(Words *)>;

  // The state at a sub-buffer: a timeline that begins with it reads the following ones as a
  // timeline does that has read all before them.
  struct State {
    CallStacks::Snapshot stacks;
    Decoder::State decoder;
    uint64_t last_tsc = 0;
    uint64_t lost_tsc = 0;
  };

  explicit Timeline(Source source) : source_(std::move(source)) {}
  Timeline(Source source, const State &state)
      : source_(std::move(source)), any_(state.decoder.last_tsc != 0), last_tsc_(state.last_tsc),
        lost_tsc_(state.lost_tsc) {
    stacks_.restore(state.stacks);
    decoder_.restore(state.decoder);
  }

  // Which frames begin another stack, ascending; asked for when it first matters. Without this,
  // none.
  using FindBorders = std::function<std::shared_ptr<const std::vector<StackBorder>>()>;
  void find_borders_by(FindBorders find) { find_borders_ = std::move(find); }
  // Each frame far below all open calls begins one (read/steps/stack_borders.h). For each call
  // that begins at depth 0, while it is the last step: the stack that it would be on.
  void split_jumps() { splits_jumps_ = true; }
  uint32_t stack_parent() const { return stacks_.parent(); }

  // For the source, while it is called: the state of the sub-buffer that it will return. Nothing,
  // while an event of an earlier sub-buffer waits for one of this sub-buffer.
  std::optional<State> state() const;

  // The length of a tick, for kOff. Before the first step.
  void set_ns_per_tick(double ns) { ns_per_tick_ = ns; }
  // Steps that others saw, which are merged with the events.
  void add_source(std::unique_ptr<StepSource> source);

  // The next step; false when the events are used up.
  bool next(Step *step) { return others_.empty() ? next_of_events(step) : next_of_all(step); }

  // After that: the calls that are still open, innermost first, as ends at the time of the
  // last event.
  bool next_open(Step *step);

  // The thread's name, as of the last sub-buffer begun.
  const char *comm() const { return comm_; }
  const Skipped &skipped() const { return decoder_.skipped(); }

  // Behind the words of the last event that was used up by the steps so far; null: of none. When
  // next() has returned false it may be called again, once the source has more.
  const uint64_t *taken() const { return taken_; }

private:
  bool fetch(Event *event);
  bool decode(Event *event);
  int64_t stack_of_exit();
  bool peek();
  static constexpr int64_t kNotLooked = -2;

  bool next_of_events(Step *step);
  bool next_of_all(Step *step);

  bool is_over(uint64_t frame);
  void select_far(uint64_t frame);
  void take_stacks();
  bool begin_inherited(Step *step);
  void enter(Step *step);
  void exit(Step *step);
  void consume();
  void take_values(std::span<const uint64_t> *values) const;
  bool end_all(Step *step);
  bool off(Step *step, uint64_t previous_tsc);
  void close(Step *step, Step::End end);
  Step::End end_of_top(int64_t exit_depth) const;

  Source source_;
  Decoder decoder_;
  bool started_ = false;
  bool any_ = false;                // an event has been decoded, or the state of some
  std::deque<OpenFrame> inherited_; // the calls of a kEventOpen that have no step yet
  uint64_t inherited_tsc_ = 0;
  Event event_; // the next one, if have_
  bool have_ = false;
  bool is_entering_ = false; // a call has begun, and is not on stacks_ yet
  std::deque<Event> ahead_;  // behind event_, if they have been looked at
  // Memory of sub-buffers that values of events may be in.
  std::deque<std::shared_ptr<const uint64_t[]>> kept_;
  size_t decoded_ = 0; // events since the last of them, up to what they are kept for
  std::shared_ptr<const uint64_t[]> memory_; // sub-buffer without a decoded event so far
  int64_t exit_depth_ = kNotLooked;          // CallStacks::select_exit of event_, an EXIT
  const uint64_t *taken_ = nullptr;
  uint64_t last_tsc_ = 0;
  uint64_t lost_tsc_ = 0; // when events were last lost
  double ns_per_tick_ = 1;
  double off_rest_ = 0; // ticks off the CPU that have no step yet
  CallStacks stacks_;
  bool splits_jumps_ = false;
  FindBorders find_borders_;
  std::shared_ptr<const std::vector<StackBorder>> borders_;
  char comm_[17] = {};
  struct Other {
    std::unique_ptr<StepSource> source;
    Step step; // its next one, if has_step
    bool has_step = false;
  };
  std::vector<Other> others_;
  Step waiting_; // the next one of the events, if is_waiting_
  bool is_waiting_ = false;
};

} // namespace nophook
