// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/timeline.h"

#include "read/steps/marks.h"
#include "read/steps/value_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nophook {

namespace {

// How far to look for the stack that runs: exits are followed by an entry before long.
constexpr size_t kLookAhead = 64;

// Two steps are in use, the last one and the one that is made. Each may be of two events, and
// there is one behind: each in another sub-buffer at worst, with nothing looked ahead.
constexpr size_t kKept = 6;

} // namespace

std::optional<Timeline::State> Timeline::state() const {
  if (have_ || is_entering_ || !ahead_.empty() || !inherited_.empty())
    return std::nullopt;
  return State{stacks_.snapshot(), decoder_.state(), last_tsc_, lost_tsc_};
}

bool Timeline::decode(Event *event) {
  do {
    while (!started_ || !decoder_.next(event)) {
      Words words;
      if (!source_(&words))
        return false;
      decoder_.begin(words.header, words.words);
      std::memcpy(comm_, words.header.comm, sizeof words.header.comm);
      memory_ = std::move(words.memory);
      started_ = true;
    }
  } while (event->kind == kEventOpen && any_); // the open calls are known
  any_ |= event->kind != kEventLost;
  if (memory_) {
    while (ahead_.empty() && kept_.size() >= kKept)
      kept_.pop_front();
    kept_.push_back(std::move(memory_));
    decoded_ = 0;
  } else if (decoded_ < kKept && ++decoded_ == kKept && ahead_.empty()) {
    while (kept_.size() > 1) // many threads are many of these
      kept_.pop_front();
  }
  return true;
}

bool Timeline::fetch(Event *event) {
  if (ahead_.empty())
    return decode(event);
  *event = ahead_.front();
  ahead_.pop_front();
  return true;
}

bool Timeline::peek() {
  if (!have_)
    have_ = fetch(&event_);
  return have_;
}

// The innermost call of the current stack ends at the time of event_.
void Timeline::close(Step *step, Step::End end) {
  const Call &call = stacks_.top();
  step->shape = Step::kEnd;
  step->kind = call.inherited ? Step::kOuterCall : Step::kCall;
  step->end = end;
  step->id = call.id;
  step->depth = stacks_.depth() - 1;
  step->stack = stacks_.number();
  step->ticks = event_.tsc - call.start_tsc;
  step->children_ticks = call.children_ticks;
  step->off_ticks = call.off_ticks;
  step->children_off_ticks = call.children_off_ticks;
  stacks_.pop(event_.tsc);
}

// How the innermost call ends at event_, which is not an exit of its own, but, if exit_depth is
// not negative, that of the call at exit_depth.
Step::End Timeline::end_of_top(int64_t exit_depth) const {
  const Call &call = stacks_.top();
  bool replaced = event_.kind == NOPHOOK_EVENT_TAIL && event_.frame == call.frame;
  if (call.tail && (exit_depth >= 0 ? exit_depth == call.owner : replaced))
    return Step::kTail;
  if (lost_tsc_ && call.start_tsc <= lost_tsc_)
    return Step::kUnknown;
  if (event_.kind == kEventEnd)
    return event_.sp == NOPHOOK_END_PROCESS ? Step::kExit : Step::kThreadEnd;
  return Step::kLeft;
}

// A span that has just been written is slow to copy, too, and most have nothing.
void Timeline::take_values(std::span<const uint64_t> *values) const {
  if (!event_.values.empty())
    *values = event_.values;
}

void Timeline::consume() {
  taken_ = event_.end ? event_.end : taken_;
  have_ = false;
  exit_depth_ = kNotLooked;
}

// For event_, an EXIT that calls on several stacks may wait for: the stack that the next entry
// lies on runs now, if there was no switch in between. -1: none of them in particular.
int64_t Timeline::stack_of_exit() {
  if (!stacks_.is_ambiguous(event_.id, event_.sp))
    return -1;
  for (size_t i = 0; i < kLookAhead; i++) {
    if (i == ahead_.size()) {
      Event event;
      if (!decode(&event))
        return -1;
      ahead_.push_back(event);
    }
    switch (ahead_[i].kind) {
    case NOPHOOK_EVENT_ENTRY:
    case NOPHOOK_EVENT_TAIL:
    case NOPHOOK_EVENT_ENTRY_ONLY:
      return stacks_.stack_of(ahead_[i].frame);
    case kEventEnd:
      return -1;
    }
  }
  return -1;
}

// Whether event_, the one behind `entry`, shows that the call has already ended.
bool Timeline::is_over(uint64_t frame) {
  switch (event_.kind) {
  case kEventEnd:
    return true;
  case NOPHOOK_EVENT_ENTRY:
  case NOPHOOK_EVENT_TAIL:
  case NOPHOOK_EVENT_ENTRY_ONLY:
    return event_.frame >= frame && stacks_.on_current(event_.frame);
  case NOPHOOK_EVENT_EXIT: {
    uint64_t ticks, depth;
    if (read_took(event_.values, &ticks, &depth))
      return false;
    int64_t stack = stack_of_exit();
    return (stack < 0 || stacks_.is_current(stack)) && stacks_.find(event_.id, event_.sp) >= 0;
  }
  default:
    return false;
  }
}

// Whether event_ is the EXIT of that call and of no other one.
static bool is_exit_of(const Event &event, uint32_t id, uint16_t sp) {
  uint64_t ticks, depth;
  return event.kind == NOPHOOK_EVENT_EXIT && event.id == id && event.sp == sp &&
         !read_took(event.values, &ticks, &depth);
}

// For event_, whose frame is not close to what runs.
void Timeline::select_far(uint64_t frame) {
  if ((splits_jumps_ || find_borders_) && stacks_.is_jump(frame)) {
    if (!splits_jumps_ && !borders_)
      borders_ = find_borders_();
    if (splits_jumps_ || std::ranges::binary_search(*borders_, StackBorder{event_.tsc, frame}))
      return stacks_.begin(frame);
  }
  stacks_.select(frame);
}

// The next of the calls that are open where the stream begins.
bool Timeline::begin_inherited(Step *step) {
  if (inherited_.empty())
    return false;
  const OpenFrame call = inherited_.front();
  inherited_.pop_front();
  *step = Step();
  step->kind = Step::kOuterCall;
  step->has_frame = !call.tail;
  step->id = call.id;
  step->cpu = event_.cpu;
  step->tsc = inherited_tsc_;
  step->frame = call.frame;
  step->depth = stacks_.depth();
  step->stack = stacks_.number();
  stacks_.push(call.frame, inherited_tsc_, call.id, call.sp, call.tail);
  stacks_.inherit_top();
  return true;
}

// An ENTRY or TAIL that is no longer below any open call.
void Timeline::enter(Step *step) {
  // Half of all events are an entry here. The needed fields are read once, one by one: a copy of an
  // event that has just been written would wait for these writes.
  const uint64_t frame = event_.frame, tsc = event_.tsc;
  const uint32_t id = event_.id;
  const uint16_t sp = event_.sp;
  const bool tail = event_.kind == NOPHOOK_EVENT_TAIL;
  take_values(&step->arguments);
  step->frame = frame;
  step->has_frame = !tail;
  step->depth = stacks_.depth();
  step->stack = stacks_.number();
  consume();
  const bool pushed = ahead_.empty() && decoder_.is_at_end(); // for state()
  if (pushed)
    stacks_.push(frame, tsc, id, sp, tail);
  is_entering_ = !pushed;
  bool any = peek();
  is_entering_ = false;
  if (any && !pushed && !tail && stacks_.is_only_one() && is_exit_of(event_, id, sp)) {
    step->shape = Step::kInterval;
    step->ticks = event_.tsc - tsc;
    take_values(&step->result);
    last_tsc_ = event_.tsc;
    stacks_.add_to_caller(step->ticks);
    consume();
    return;
  }
  if (!pushed)
    stacks_.push(frame, tsc, id, sp, tail);
  if (!any || !is_over(frame))
    return;
  int64_t exit_depth = event_.kind == NOPHOOK_EVENT_EXIT ? stacks_.find(event_.id, event_.sp) : -1;
  bool own_exit = exit_depth == (int64_t)stacks_.depth() - 1;
  close(step, own_exit ? Step::kReturned : end_of_top(exit_depth));
  step->shape = Step::kInterval;
  last_tsc_ = event_.tsc;
  if (own_exit) {
    take_values(&step->result);
    consume();
  }
}

// An EXIT: first the calls within its own, one by one, then that one.
void Timeline::exit(Step *step) {
  uint64_t ticks, depth;
  if (read_took(event_.values, &ticks, &depth)) { // calls that are shorter have no events at all
    step->shape = Step::kInterval;
    step->kind = Step::kTimedCall;
    step->ticks = ticks;
    step->depth = (uint32_t)std::min<uint64_t>(depth, UINT32_MAX);
    take_values(&step->result);
    consume();
    return;
  }
  if (stacks_.ends_top(event_.id, event_.sp)) {
    close(step, Step::kReturned);
    take_values(&step->result);
    consume();
    return;
  }
  if (exit_depth_ == kNotLooked)
    exit_depth_ = stacks_.select_exit(event_.id, event_.sp, stack_of_exit());
  if (exit_depth_ >= 0) {
    bool own = (int64_t)stacks_.depth() - 1 == exit_depth_;
    close(step, own ? Step::kReturned : end_of_top(exit_depth_));
    if (own) {
      take_values(&step->result);
      consume();
    }
    return;
  }
  step->shape = Step::kInstant;
  step->kind = Step::kExitOnly;
  take_values(&step->result);
  step->depth = stacks_.depth();
  step->stack = stacks_.number();
  consume();
}

// event_ is an END: the innermost call of some stack ends. False: there is none any more.
bool Timeline::end_all(Step *step) {
  if (stacks_.empty() && !stacks_.select_any_open()) {
    consume();
    return false;
  }
  close(step, end_of_top(-1));
  return true;
}

// event_ says something about the stacks, and has no step of its own.
__attribute__((noinline)) void Timeline::take_stacks() {
  if (event_.kind == kEventOpen) {
    std::vector<OpenFrame> calls = read_open_frames(event_, &inherited_tsc_);
    inherited_.assign(calls.begin(), calls.end());
  } else {
    stacks_.switch_to(read_fiber(event_));
  }
  consume();
}

// An OFF_CPU. False: there was no time off, as far as two clocks can show it.
bool Timeline::off(Step *step, uint64_t previous_tsc) {
  constexpr double kLeastNs = 500; // two switches take more
  uint64_t ticks = 0, cpu_ns = 0;
  ValueReader values(event_.values);
  if (values.uleb(&ticks) && values.uleb(&cpu_ns))
    off_rest_ += (double)ticks - (double)cpu_ns / ns_per_tick_;
  consume();
  if (off_rest_ * ns_per_tick_ < kLeastNs)
    return false; // the rest is part of the next one
  step->shape = Step::kInterval;
  step->kind = Step::kOff;
  // The thread has run since the event before. More than that was not a switch: interrupts, or a
  // virtual CPU that was stolen, at some earlier time.
  step->ticks = (uint64_t)std::min(off_rest_, (double)(step->tsc - previous_tsc));
  step->off_ticks = step->ticks;
  step->off_ns = (uint64_t)((double)step->ticks * ns_per_tick_);
  step->depth = stacks_.depth();
  step->stack = stacks_.number();
  off_rest_ = 0;
  stacks_.add_off(step->off_ticks);
  return true;
}

void Timeline::add_source(std::unique_ptr<StepSource> source) {
  if (source)
    others_.push_back({std::move(source), {}, false});
}

bool Timeline::next_of_all(Step *step) {
  if (!is_waiting_)
    is_waiting_ = next_of_events(&waiting_);
  Other *first = nullptr;
  for (Other &other : others_) {
    if (!other.has_step)
      other.has_step = other.source->next(&other.step);
    if (other.has_step && (!first || other.step.tsc < first->step.tsc))
      first = &other;
  }
  if (first && (!is_waiting_ || first->step.tsc <= waiting_.tsc)) {
    *step = first->step;
    step->stack = is_waiting_ ? waiting_.stack : stacks_.number();
    step->depth = is_waiting_ ? waiting_.depth + (waiting_.shape == Step::kEnd) : stacks_.depth();
    first->has_step = false;
    return true;
  }
  *step = waiting_;
  return std::exchange(is_waiting_, false);
}

bool Timeline::next_of_events(Step *step) {
  if (!inherited_.empty() && begin_inherited(step))
    return true;
  do {
    if (!peek())
      return false;
    while (event_.kind >= kEventOpen) {
      take_stacks();
      if (begin_inherited(step))
        return true;
      if (!peek())
        return false;
    }
    *step = Step();
    step->cpu = event_.cpu;
    step->tsc = event_.tsc;
  } while (event_.kind == kEventEnd && !end_all(step));
  const uint64_t previous_tsc = std::exchange(last_tsc_, event_.tsc);
  if (event_.kind == kEventEnd)
    return true;
  step->id = event_.id;
  switch (event_.kind) {
  case NOPHOOK_EVENT_FUNCTION:
    step->shape = Step::kInstant;
    step->kind = Step::kFunction;
    step->parent = event_.parent;
    step->arguments = event_.values;
    consume();
    return true;
  case kEventOff:
    return off(step, previous_tsc) || next_of_events(step);
  case kEventMark:
  case kEventOther:
    step->shape = Step::kInstant;
    step->kind = event_.kind == kEventOther ? Step::kOther : mark_kind(event_.values);
    step->arguments = event_.values;
    step->depth = stacks_.depth();
    step->stack = stacks_.number();
    consume();
    return true;
  case kEventLost:
    step->shape = Step::kInstant;
    step->kind = Step::kLost;
    step->lost = event_.parent;
    lost_tsc_ = event_.tsc;
    consume();
    return true;
  case NOPHOOK_EVENT_EXIT:
    exit(step);
    return true;
  }
  if (stacks_.is_far(event_.frame))
    select_far(event_.frame);
  if (!stacks_.empty() && stacks_.top().frame <= event_.frame) {
    close(step, end_of_top(-1));
  } else if (event_.kind == NOPHOOK_EVENT_ENTRY_ONLY) {
    step->shape = Step::kInstant;
    step->kind = Step::kEntryOnly;
    step->frame = event_.frame;
    step->arguments = event_.values;
    step->depth = stacks_.depth();
    step->stack = stacks_.number();
    consume();
  } else {
    enter(step);
  }
  return true;
}

bool Timeline::next_open(Step *step) {
  if (!stacks_.select_any_open())
    return false;
  *step = Step();
  event_.tsc = last_tsc_;
  close(step, Step::kStillOpen);
  step->tsc = last_tsc_;
  step->cpu = event_.cpu;
  return true;
}

} // namespace nophook
