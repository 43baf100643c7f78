// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The selected part of a recording, as the options give it.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nophook {

struct Prototype;

// A condition of `--where` (print/where.h): it chooses calls of one function by an argument or by
// their result.
struct CallCondition {
  std::string text, function; // as they were typed
  bool of_result = false;
  // Whether it holds for a call with these values (Step::arguments or Step::result). Several
  // threads may ask.
  std::function<bool(const Prototype *prototype, std::span<const uint64_t> values)> holds;
};

struct Selection {
  std::vector<std::string> functions; // globs: calls of these and what they call
  std::vector<std::string> notraces;  // globs: not of these, nor what they call
  std::vector<std::string> where;     // conditions, which become:
  std::vector<CallCondition> conditions;
  std::vector<int32_t> tids, pids;
  uint32_t depth = 0;           // 0: any
  uint64_t min_duration_ns = 0; // 0: any, and calls without one
  std::optional<int64_t> from_ns, to_ns;
  bool from_is_relative = false, to_is_relative = false; // to the first event

  bool any() const;
};

// `FROM,TO` in seconds as the trace shows them, or `+` and seconds after the first event; either
// may be empty.
Result<> parse_time_window(const std::string &text, Selection *selection);

} // namespace nophook
