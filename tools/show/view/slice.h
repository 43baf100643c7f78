// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the timeline of `nophook view` draws: one call, or several that are too short to be drawn
// one by one.
//
// Times are nanoseconds since the first event of the recording (events, if its clock counts
// events). A *track* is what one thread did on one of its stacks: calls of one track nest.

#pragma once

#include <cstdint>

namespace nophook {

struct Slice {
  enum Flag : uint8_t {
    kOneCall = 1,     // start and duration are those of one call
    kNoBegin = 2,     // its start was not recorded: start is only the earliest possible time
    kOpenAtEnd = 4,   // it had not ended when the recording ended
    kLeft = 8,        // it ended without an exit: an exception, longjmp, the end of its thread
    kInstant = 16,    // an event without a duration: of the function tracer, or entry only
    kEndNotRead = 32, // it is longer than `duration`, of which no more was read
  };
  uint64_t start = 0;
  uint64_t duration = 0;
  uint32_t function = 0; // of several: that of the longest
  uint32_t calls = 1;
  uint16_t depth = 0; // calls around it
  uint8_t flags = kOneCall;
  uint8_t busy = 255; // part of the duration that its calls fill, of 255

  uint64_t end() const { return start + duration; }
  bool is_one() const { return flags & kOneCall; }
};

} // namespace nophook
