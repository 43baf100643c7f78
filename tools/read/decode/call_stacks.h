// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The open calls of one thread, on each of the stacks it runs on.
//
// The obvious way, a counter that goes up at an entry and down at an exit, drifts away at the
// first exception, longjmp or tail call, which leave calls without an exit. Events carry the
// address of the frame instead: a stack grows downwards, so an entry or exit at a frame proves
// that every call at or below it is over.
//
// This holds within one stack. Fibers, alternate signal stacks and coroutines with stacks of their
// own lie elsewhere, and calls on one stack say nothing about calls on another. A frame belongs to
// the stack whose innermost open call it is nearest below, up to 8 MiB (the usual limit of a
// stack). A frame above all open calls of a stack does not belong to it, and a frame that belongs
// to no stack begins another.
//
// Coroutines whose stacks lie within these 8 MiB look like deep calls of the function that resumes
// them, and these calls seem to be over when that function goes on. The exits that come later show
// that the calls waited. So a first pass may have found the frames that begin another stack
// (read/steps/stack_borders.h). Registered fibers have known borders, and each switch is announced:
// then the stack that runs is known (switch_to).
//
// An exit does not have its frame but repeats function and `sp` field of its entry; the
// innermost open call with both is the one that it ends. Several fibers in one function each have
// such a call; then the caller should find out which fiber runs (select_exit).

#pragma once

#include "read/decode/decoder.h"

#include <cstdint>
#include <vector>

namespace nophook {

struct Call {
  uint64_t frame = 0;
  uint64_t start_tsc = 0;
  uint64_t children_ticks = 0;     // time of the calls in it that have ended
  uint64_t off_ticks = 0;          // time off the CPU so far
  uint64_t children_off_ticks = 0; // the part of it in calls that have ended
  uint32_t id = 0;
  uint16_t sp = 0;
  bool tail = false;      // it has no exit of its own
  bool inherited = false; // began before the stream; open at `start_tsc`
  uint32_t owner = 0;     // depth of the call whose exit ends it: its own, but for a tail call
};

// One of the thread's stacks, in a form to be stored elsewhere: its number, and its open calls,
// outermost first.
struct OpenStack {
  uint32_t number = 0;
  uint32_t parent = 0;      // the stack of its first frame, if no border were known
  bool is_bordered = false; // it began at a border (begin())
  FiberStack fiber;         // memory of a registered fiber; else 0s
  std::vector<Call> calls;
};

class CallStacks {
public:
  // All open calls, and the stack that runs; restore() makes another object continue from there.
  struct Snapshot {
    std::vector<OpenStack> stacks; // stacks with open calls, and the running one
    uint32_t current = 0;          // index of the running stack
    uint32_t numbers = 1;          // number of stacks so far
    bool is_announced = false;     // the running stack was announced (switch_to())
  };
  Snapshot snapshot() const;
  void restore(const Snapshot &snapshot);

  // Makes the stack that `frame` lies on the current one.
  void select(uint64_t frame) {
    if (is_far(frame))
      select_other(frame);
  }

  // Whether `frame` is not close to the innermost call of the current stack.
  __attribute__((always_inline)) bool is_far(uint64_t frame) const {
    return current().distance(frame) > kNear;
  }
  // Whether `frame` is on a stack with open calls, but far from the innermost one.
  bool is_jump(uint64_t frame) const;
  // Begins another stack with `frame`, for which is_jump() holds.
  void begin(uint64_t frame);

  // The thread announces that it continues on a fiber's stack; all 0: on the stack that it began
  // with.
  void switch_to(const FiberStack &fiber);

  // Whether `frame` would be on the current stack.
  bool on_current(uint64_t frame) const { return current().distance(frame) != kElsewhere; }

  // Whether an exit of `id` with `sp` ends the innermost call. False if there is more than one
  // stack.
  bool ends_top(uint32_t id, uint16_t sp) const {
    return stacks_.size() == 1 && current().ends_top(id, sp);
  }
  bool is_only_one() const { return stacks_.size() == 1; }

  // The number of calls around the one that an exit of `id` with `sp` ends, on the current stack;
  // -1: there is no such call.
  int64_t find(uint32_t id, uint16_t sp) const { return current().find(id, sp); }

  // Whether an exit of `id` with `sp` may belong to more than one stack.
  bool is_ambiguous(uint32_t id, uint16_t sp) const;

  // The stack that `frame` lies on; -1: none of those with open calls.
  int64_t stack_of(uint64_t frame) const;
  bool is_current(int64_t stack) const { return stack == (int64_t)current_; }

  // The same as find(), but the stack that has such a call becomes the current one: `preferred`, if
  // it is one of them (-1: no preference), else the current one, else any.
  int64_t select_exit(uint32_t id, uint16_t sp, int64_t preferred);

  uint32_t number() const { return current().number; } // number of the current stack, from 0
  uint32_t parent() const { return current().parent; }
  bool empty() const { return current().calls.empty(); }
  uint32_t depth() const { return (uint32_t)current().calls.size(); }
  const Call &top() const { return current().calls.back(); }

  // Begins a call on the current stack.
  void push(uint64_t frame, uint64_t tsc, uint32_t id, uint16_t sp, bool tail) {
    std::vector<Call> &calls = current().calls;
    uint32_t owner = tail && !calls.empty() ? calls.back().owner : (uint32_t)calls.size();
    // Field by field: a copy of what has just been written would wait for these writes.
    Call &call = calls.emplace_back();
    call.frame = frame;
    call.start_tsc = tsc;
    call.id = id;
    call.sp = sp;
    call.tail = tail;
    call.owner = owner;
  }
  // Marks the innermost call as one that began before the stream.
  void inherit_top() { current().calls.back().inherited = true; }

  // Ends the innermost call of the current stack at `tsc` and adds its time to its caller's.
  void pop(uint64_t tsc) {
    const uint64_t start_tsc = top().start_tsc, off_ticks = top().off_ticks;
    current().calls.pop_back();
    add_to_caller(tsc - start_tsc);
    if (off_ticks && !empty()) {
      current().calls.back().off_ticks += off_ticks;
      current().calls.back().children_off_ticks += off_ticks;
    }
  }
  // Adds time off the CPU to the innermost call.
  void add_off(uint64_t ticks) {
    if (!empty())
      current().calls.back().off_ticks += ticks;
  }
  // Adds the time of a call that was not pushed to its caller's.
  void add_to_caller(uint64_t ticks) {
    if (!empty())
      current().calls.back().children_ticks += ticks;
  }

  // Makes a stack with open calls the current one; false if there is none.
  bool select_any_open();

private:
  static constexpr uint64_t kElsewhere = ~uint64_t{0};

  // Most bytes to the innermost call of the current stack for which no other stack is considered.
  static constexpr uint64_t kNear = 4 << 10;

  static constexpr uint64_t kStackSpan = 8 << 20;

  // A caller that is not traced may be this much above the outermost call that is: when an
  // exception or longjmp has left that call, the next one begins up there.
  static constexpr uint64_t kSlack = 8 << 10;
  static constexpr uint64_t kBorderedSlack = 1 << 10;

  struct Stack : OpenStack {
    // Bytes below the innermost call; 0 among the open calls; kElsewhere: not on this stack.
    uint64_t distance(uint64_t frame) const {
      if (fiber.high)
        return frame >= fiber.low && frame < fiber.high ? 0 : kElsewhere;
      if (calls.empty() || (frame > calls.front().frame && frame - calls.front().frame > slack()))
        return kElsewhere;
      if (frame >= calls.back().frame)
        return 0;
      uint64_t below = calls.back().frame - frame;
      return below <= kStackSpan ? below : kElsewhere;
    }
    uint64_t slack() const { return is_bordered ? kBorderedSlack : kSlack; }
    int64_t find(uint32_t id, uint16_t sp) const;
    bool ends_top(uint32_t id, uint16_t sp) const {
      return !calls.empty() && calls.back().id == id && calls.back().sp == sp && !calls.back().tail;
    }
  };

  void select_other(uint64_t frame);
  void select_unused();

  Stack &current() { return stacks_[current_]; }
  const Stack &current() const { return stacks_[current_]; }

  std::vector<Stack> stacks_{1};
  uint32_t current_ = 0;
  uint32_t numbers_ = 1;
  bool is_announced_ = false;
};

} // namespace nophook
