// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of the timeline of `nophook view`: one call, or several calls that are too short to be
// drawn one by one.
//
// Times are nanoseconds since the first event of the recording (numbers of events, if its clock
// counts events). A *track* is the activity of one thread on one of its stacks: calls of one track
// nest.

#pragma once

#include <cstdint>

namespace nophook {

struct Slice {
  enum Flag : uint8_t {
    kOneCall = 1,     // start and duration are those of one call
    kNoBegin = 2,     // its start was not recorded: start is only the earliest possible time
    kOpenAtEnd = 4,   // it had not ended when the recording ended
    kLeft = 8,        // it ended without an exit: an exception, longjmp, the end of its thread
    kInstant = 16,    // no duration: an event of the function tracer, or entry only
    kEndNotRead = 32, // the call is longer: its end was not read
  };
  uint64_t start = 0;
  uint64_t duration = 0;
  uint32_t function = 0; // among several calls, the longest one's
  uint32_t calls = 1;
  uint16_t depth = 0; // number of calls around it
  uint8_t flags = kOneCall;
  uint8_t busy = 255; // part of the duration that its calls fill, in 255ths

  uint64_t end() const { return start + duration; }
  bool is_one() const { return flags & kOneCall; }
};

} // namespace nophook
