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
#include <string_view>
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

// One end of `--time`.
struct Instant {
  std::optional<int64_t> ns; // none: open, or `time` is not placed yet
  bool is_relative = false;  // to the first event
  std::optional<TimeOfDay> time;

  bool any() const { return ns || time; }
};

struct Selection {
  std::vector<std::string> functions; // globs: calls of these and their callees
  std::vector<std::string> notraces;  // globs: calls of these and their callees are left out
  std::vector<std::string> hides;     // globs: calls of these are left out, their callees are not
  std::vector<std::string> places;    // modules and source files: calls of others are hidden
  std::vector<std::string> where;     // conditions as typed, for `conditions`
  std::vector<CallCondition> conditions;
  std::vector<int32_t> tids, pids;
  bool off_cpu = false;           // the time off the CPU counts alone
  bool sleep_time = true;         // it counts, too
  uint32_t depth = 0;             // most levels; 0: any
  std::string time, min_duration; // as typed, until read_times()
  uint64_t min_duration_ns = 0;   // 0: any, and calls without one
  Instant from, to;

  bool any() const;
};

// Parses the times of a selection. Error: a text is none; it names the verb.
Result<> read_times(const std::string &verb, Selection *selection);

// Converts times of day to times of the recording `path`. Error: the recording has no such time.
Result<> place_times_of_day(const std::string &verb, const std::string &path, const WallTime &wall,
                            Selection *selection);

} // namespace nophook
