// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of a recording as times of day.
//
// "The request failed at 12:03:07" is in a log, and events have nanoseconds of CLOCK_MONOTONIC. The
// difference of the two clocks changes, because a server of time adjusts the day's. So a recorder
// notes both each second (ClockPair), and times between two notes are interpolated. A clock that is
// set by hand jumps within that second. In front of the first note and behind the last one, the
// difference is theirs.

#pragma once

#include <cstdint>
#include <vector>

namespace nophook {

class WallTime {
public:
  struct Note {
    uint64_t monotonic_ns, realtime_ns;
  };
  WallTime() = default;
  explicit WallTime(std::vector<Note> notes); // notes in any order

  bool is_known() const { return !notes_.empty(); }
  const std::vector<Note> &notes() const { return notes_; } // the notes, ascending

  // Conversions: the nanoseconds since 1970 of a moment by CLOCK_MONOTONIC; and the earliest moment
  // with such a time or a later one. Only if the time is known.
  uint64_t at(uint64_t monotonic_ns) const;
  int64_t monotonic_of(int64_t realtime_ns) const;

private:
  std::vector<Note> notes_;
};

} // namespace nophook
