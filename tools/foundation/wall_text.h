// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of day, as `2026-05-01T12:03:07.250000`, in the time zone of the reader: TZ, or the
// machine's.
//
// A log has the date or not, and seconds with or without parts. So a typed time may leave these
// out.

#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace nophook {

// Turns nanoseconds since 1970 into texts of one length. One thread uses it: it keeps the last
// second.
class WallText {
public:
  const std::string &text(uint64_t realtime_ns); // valid until the next call

private:
  time_t second_ = -1;
  std::string text_;
};

// A typed time of day: `[YYYY-MM-DD(T| )]HH:MM[:SS[.PARTS]]`, with Z behind it in UTC.
struct TimeOfDay {
  std::optional<tm> date; // none: the day follows from a time nearby
  int hour = 0, minute = 0, second = 0;
  uint64_t part_ns = 0;
  bool is_utc = false;

  // Nanoseconds since 1970. Without a date it is within half a day of `near_ns`.
  int64_t realtime_ns(uint64_t near_ns) const;
};
std::optional<TimeOfDay> parse_time_of_day(std::string_view text);

} // namespace nophook
