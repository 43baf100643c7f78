// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The selected part of a recording, as the options give it.

#pragma once

#include "foundation/result.h"
#include "foundation/wall_text.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nophook {

struct Prototype;
class WallTime;

// A condition of `--where` (read/select/where.h): it chooses calls of one function by an argument
// or by their result.
struct CallCondition {
  enum Verdict : uint8_t { kFails, kHolds, kUnknown }; // unknown: the value was not recorded

  std::string text, function; // as typed
  bool of_result = false;
  // Judges a call with these values (Step::arguments or Step::result). Several threads may call it
  // at once.
  std::function<Verdict(const Prototype *prototype, std::span<const uint64_t> values)> judge;
};

struct Selection {
  std::vector<std::string> functions; // globs: calls of these and their callees
  std::vector<std::string> notraces;  // globs: calls of these and their callees are left out
  std::vector<std::string> where;     // conditions as typed, for `conditions`
  std::vector<CallCondition> conditions;
  std::vector<int32_t> tids, pids;
  uint32_t depth = 0;           // most levels; 0: any
  uint64_t min_duration_ns = 0; // 0: any, and calls without one
  std::optional<int64_t> from_ns, to_ns;
  bool from_is_relative = false, to_is_relative = false; // to the first event
  std::optional<TimeOfDay> from_time, to_time;           // until place_times_of_day()

  bool any() const;
};

// Parses `FROM,TO`: seconds as the trace shows them, or `+` and seconds after the first event, or a
// time of day; either may be empty.
Result<> parse_time_window(const std::string &text, Selection *selection);

// Converts times of day to times of the recording `path`. Error: the recording has no such time.
Result<> place_times_of_day(const std::string &path, const WallTime &wall, Selection *selection);

} // namespace nophook
