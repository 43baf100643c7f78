// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The open calls of one thread, on each of the stacks it runs on.
//
// The obvious way, a counter that goes up at an entry and down at an exit, drifts away at the
// first exception, longjmp or tail call, which leave calls without an exit. Events carry the
// address of the frame instead: a stack grows downwards, so an entry or exit at a frame proves
// that every call at or below it is over.
//
// That holds within one stack. Fibers, alternate signal stacks and coroutines with stacks of
// their own lie elsewhere, and calls on one say nothing about calls on another. A frame belongs
// to the stack whose innermost open call it is nearest below, up to 8 MiB (the usual limit of a
// stack). One that is above all open calls of a stack does not belong to it, and one that
// belongs to none begins another.
//
// Coroutines whose stacks lie within these 8 MiB look like deep calls of the one that resumes them,
// which leaves them when it goes on. Their exits show later that they waited. So a first pass may
// have found the frames that begin another stack (read/steps/stack_borders.h). Registered fibers
// have known borders, and each switch is announced: then the stack that runs is known (switch_to).
//
// An exit does not have its frame but repeats function and `sp` field of its entry; the
// innermost open call with both is the one that it ends. Fibers that do the same have such a
// call each; then the caller should find out which of them runs (select_exit).

#pragma once

#include "read/decode/decoder.h"

#include <cstdint>
#include <vector>

namespace nophook {

struct Call {
  uint64_t frame = 0;
  uint64_t start_tsc = 0;
  uint64_t children_ticks = 0; // of calls that have ended
  uint32_t id = 0;
  uint16_t sp = 0;
  bool tail = false;      // has no exit of its own
  bool inherited = false; // it has begun before the stream: at `start_tsc` it was open
  uint32_t owner = 0;     // its depth, or of a tail call: that of the call whose exit is its, too
};

// One of the thread's stacks, to be kept elsewhere: its number, and its open calls, outermost
// first.
struct OpenStack {
  uint32_t number = 0;
  uint32_t parent =
      0; // the stack that its first frame would belong to, if it did not begin another
  bool is_bordered = false; // it was begun so
  FiberStack fiber;         // the memory of a registered fiber; else 0s
  std::vector<Call> calls;
};

class CallStacks {
public:
  // All open calls, and which of the stacks runs; restore() makes another object go on from there.
  struct Snapshot {
    std::vector<OpenStack> stacks; // those with open calls, and the one that runs
    uint32_t current = 0;          // that one
    uint32_t numbers = 1;          // of stacks there have been
    bool is_announced = false;     // the stack that runs
  };
  Snapshot snapshot() const;
  void restore(const Snapshot &snapshot);

  // Makes the stack that `frame` lies on the current one.
  void select(uint64_t frame) {
    if (is_far(frame))
      select_other(frame);
  }

  // Whether it is not close to the innermost call of the current stack.
  bool is_far(uint64_t frame) const { return current().distance(frame) > kNear; }
  // Whether it would be on a stack with open calls, but far from the innermost one.
  bool is_jump(uint64_t frame) const;
  // Begins another stack with `frame`, for which is_jump() holds.
  void begin(uint64_t frame);

  // The thread announces that it goes on on a fiber's stack, or, all 0, on the one that it began
  // with.
  void switch_to(const FiberStack &fiber);

  // Whether `frame` would be on the current stack.
  bool on_current(uint64_t frame) const { return current().distance(frame) != kElsewhere; }

  // Whether an exit of `id` with `sp` ends the innermost call, and no other stack may mean it.
  bool ends_top(uint32_t id, uint16_t sp) const {
    return stacks_.size() == 1 && current().ends_top(id, sp);
  }
  bool is_only_one() const { return stacks_.size() == 1; }

  // How many calls are around the one that an exit of `id` with `sp` ends, on the current
  // stack; -1 if there is none.
  int64_t find(uint32_t id, uint16_t sp) const { return current().find(id, sp); }

  // Whether such an exit may belong to more than one stack.
  bool is_ambiguous(uint32_t id, uint16_t sp) const;

  // The stack that `frame` lies on, -1 if none of those with open calls.
  int64_t stack_of(uint64_t frame) const;
  bool is_current(int64_t stack) const { return stack == (int64_t)current_; }

  // As find(), but makes the stack that has such a call the current one: `preferred`, if it
  // is one of them (-1: no preference), else the current one, else any.
  int64_t select_exit(uint32_t id, uint16_t sp, int64_t preferred);

  uint32_t number() const { return current().number; } // of the current stack, from 0
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
  // The call that has been pushed last has begun before the stream.
  void inherit_top() { current().calls.back().inherited = true; }

  // Ends the innermost call of the current stack at `tsc` and adds its time to its caller's.
  void pop(uint64_t tsc) {
    uint64_t start_tsc = top().start_tsc;
    current().calls.pop_back();
    add_to_caller(tsc - start_tsc);
  }
  // The time of a call that was not pushed.
  void add_to_caller(uint64_t ticks) {
    if (!empty())
      current().calls.back().children_ticks += ticks;
  }

  // Makes some stack with open calls the current one; false if there is none.
  bool select_any_open();

private:
  static constexpr uint64_t kElsewhere = ~uint64_t{0};

  // As near to the innermost call as this, no other stack is asked.
  static constexpr uint64_t kNear = 4 << 10;

  static constexpr uint64_t kStackSpan = 8 << 20;

  // A caller that is not traced may be this much above the outermost call that is: when an
  // exception or longjmp has left that call, the next one begins up there.
  static constexpr uint64_t kSlack = 8 << 10;
  static constexpr uint64_t kBorderedSlack = 1 << 10;

  struct Stack : OpenStack {
    // How far below the innermost call; 0 among the open calls; or kElsewhere.
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
