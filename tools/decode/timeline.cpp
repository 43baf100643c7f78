// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode/timeline.h"

#include <cstring>

namespace nophook {

bool Timeline::fetch(Event *event) {
  while (!started_ || !decoder_.next(event)) {
    Words words;
    if (!source_(&words))
      return false;
    decoder_.begin(words.header, words.words);
    std::memcpy(comm_, words.header.comm, sizeof words.header.comm);
    started_ = true;
  }
  return true;
}

bool Timeline::peek() {
  if (!have_)
    have_ = fetch(&event_);
  return have_;
}

// The innermost call of the current stack ends at the time of event_.
void Timeline::close(Step *step, bool returned) {
  Call call = stacks_.pop(event_.tsc);
  step->kind = Step::kClose;
  step->returned = returned;
  step->id = call.id;
  step->depth = stacks_.depth();
  step->ticks = event_.tsc - call.start_tsc;
  step->children_ticks = call.children_ticks;
}

void Timeline::consume() {
  have_ = false;
  exit_depth_ = kNotLooked;
}

// Whether event_, the one behind `entry`, shows that the call has already ended.
bool Timeline::is_over(const Event &entry) const {
  switch (event_.kind) {
  case NOPHOOK_EVENT_ENTRY:
  case NOPHOOK_EVENT_TAIL:
  case NOPHOOK_EVENT_ENTRY_ONLY:
    return event_.frame >= entry.frame && stacks_.on_current(event_.frame);
  case NOPHOOK_EVENT_EXIT:
    return stacks_.find(event_.id, event_.sp) >= 0;
  default:
    return false;
  }
}

// An ENTRY or TAIL that is no longer below any open call.
void Timeline::enter(Step *step) {
  Event entry = event_;
  consume();
  step->kind = Step::kOpen;
  step->depth = stacks_.depth();
  stacks_.push({entry.frame, entry.tsc, 0, entry.id, entry.sp});
  if (!peek() || !is_over(entry))
    return;
  bool own_exit = event_.kind == NOPHOOK_EVENT_EXIT &&
                  stacks_.find(event_.id, event_.sp) == (int64_t)stacks_.depth() - 1;
  close(step, own_exit);
  step->kind = Step::kLeaf;
  last_tsc_ = event_.tsc;
  if (own_exit)
    consume();
}

// An EXIT: first the calls within its own, one by one, then that one.
void Timeline::exit(Step *step) {
  if (exit_depth_ == kNotLooked)
    exit_depth_ = stacks_.select_exit(event_.id, event_.sp);
  if (exit_depth_ >= 0) {
    bool own = (int64_t)stacks_.depth() - 1 == exit_depth_;
    close(step, own);
    if (own)
      consume();
    return;
  }
  step->kind = Step::kClose;
  step->has_start = false;
  step->depth = stacks_.depth();
  consume();
}

bool Timeline::next(Step *step) {
  if (!peek())
    return false;
  *step = Step();
  step->tsc = last_tsc_ = event_.tsc;
  step->cpu = event_.cpu;
  step->id = event_.id;
  switch (event_.kind) {
  case NOPHOOK_EVENT_FUNCTION:
    step->kind = Step::kFunction;
    step->parent = event_.parent;
    consume();
    return true;
  case kEventLost:
    step->kind = Step::kLost;
    step->lost = event_.parent;
    consume();
    return true;
  case NOPHOOK_EVENT_EXIT:
    exit(step);
    return true;
  }
  stacks_.select(event_.frame);
  if (!stacks_.empty() && stacks_.top().frame <= event_.frame) {
    close(step, false);
  } else if (event_.kind == NOPHOOK_EVENT_ENTRY_ONLY) {
    step->kind = Step::kEntryOnly;
    step->depth = stacks_.depth();
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
  close(step, false);
  step->tsc = last_tsc_;
  step->cpu = event_.cpu;
  return true;
}

} // namespace nophook
