// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The selected part of a recording, as the options give it.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace nophook {

struct Step;

// Of `--where` (print/where.h): chooses calls of one function by their arguments.
struct CallCondition {
  struct Seen {
    uint64_t calls = 0, with_arguments = 0, held = 0;
  };
  std::string text, function;                                     // as they were typed
  std::function<bool(uint32_t process, const Step &step)> is_met; // of a call that begins
  std::shared_ptr<Seen> seen;
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
