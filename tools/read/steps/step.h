// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a thread: the unit in which every reader sees a recording.
//
// A step has one of four shapes, which say how it lies on the axis of time, and a kind, which says
// what it is. A reader that draws needs the shapes alone, one that counts needs few kinds, and a
// new kind changes neither.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace nophook {

struct Step {
  enum Shape : uint8_t {
    kBegin,    // start of a call
    kEnd,      // end of the innermost call on its stack
    kInstant,  // a moment
    kInterval, // start and end at once
  };
  enum Kind : uint8_t {
    kCall,      // begin, end; an interval, if nothing was recorded in it
    kOuterCall, // begin, end: open where the stream begins, and counted where it was entered
    kTimedCall, // interval, at its end: its start has no line, or was never recorded
    kEntryOnly, // instant: a call that is not followed to its end
    kExitOnly,  // instant: the end of a call that began before the recording
    kFunction,  // instant: an event of the function tracer
    kLost,      // instant: `lost` events are missing here
    // Instants of the program and of tracers, which are decoded by read/steps/marks.h.
    kText,
    kRaw,
    kStack,
    kRepeats,
    kProbe,
    kOff, // interval, at its end: the thread was off the CPU in it. It begins behind the last event
    kOther, // a row of nophook/event_kinds.h, whose number is `id`
  };
  // How the call of an end or interval ended.
  enum End : uint8_t {
    kReturned,
    kTail,      // entered by a tail call: with its caller, or by calling another one in its place
    kLeft,      // by an exception, longjmp, the end of its fiber
    kUnknown,   // without an exit, which may be one of the events that were lost
    kStillOpen, // not before the last event
    kThreadEnd, // its thread has ended
    kExit,      // its thread has called exit()
  };

  Shape shape = kBegin;
  Kind kind = kCall;
  End end = kReturned;
  bool has_frame = false;          // a call that begins has function_graph's frame below it
  uint32_t id = 0;                 // function, or row of kOther
  uint32_t cpu = 0;                // number
  uint32_t stack = 0;              // number among the stacks of its thread
  uint32_t depth = 0;              // number of calls around it on that stack
  uint64_t frame = 0;              // address below the return address of a call that begins
  uint64_t tsc = 0;                // ticks, by which steps are ordered: see from() and to()
  uint64_t ticks = 0;              // duration, at an end or interval
  uint64_t children_ticks = 0;     // the part of it that was spent in recorded calls
  uint64_t off_ticks = 0;          // the part of the duration off the CPU
  uint64_t children_off_ticks = 0; // the part of that in recorded calls
  // Payload words with values (read/steps/call_values.h), valid until the next step but one.
  std::span<const uint64_t> arguments; // arguments of a call that begins; all words of a mark
  std::span<const uint64_t> result;    // result of a call that ends
  union {
    uint64_t parent = 0; // return address of kFunction
    uint64_t lost;       // events of kLost
    uint64_t off_ns;     // duration of kOff, exactly
  };

  bool is_leaf() const { return shape == kInterval && kind == kCall; }
  bool is_timed() const { return shape == kInterval && kind != kCall; }
  bool is_off() const { return kind == kOff; }
  bool is_of_call() const { return kind <= kFunction; }
  bool is_mark() const { return kind > kLost; }
  // Its function has begun here, or ended here; both: its whole.
  bool begins() const { return shape != kEnd && is_of_call() && kind != kExitOnly; }
  bool ends() const {
    return shape == kEnd || (shape == kInterval && !is_off()) || kind == kExitOnly;
  }
  // Where every step is shown, a call counts here.
  bool is_hit() const { return begins() && kind != kOuterCall; }
  // Its duration is known.
  bool has_duration() const { return shape == kEnd || shape == kInterval; }

  // The time of its start and end. A leaf comes at its start, all others that end at their end.
  uint64_t from() const { return shape == kEnd || is_timed() ? tsc - std::min(tsc, ticks) : tsc; }
  uint64_t to() const { return is_leaf() ? tsc + ticks : tsc; }
};

inline const char *end_name(Step::End end) {
  constexpr const char *kNames[] = {"returned", "tail",        "left",  "unknown",
                                    "open",     "thread exit", "exit()"};
  return kNames[end];
}

} // namespace nophook
