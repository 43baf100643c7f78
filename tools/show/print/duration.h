// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Durations as function_graph shows them: a mark for the long ones, microseconds, and as many
// digits of nanoseconds as fit.
//
//      "  0.680 us    "    "+ 11.300 us   "    "# 1234.567 us "    "@ 123456.7 us "
//
// Source: print_graph_duration() of the kernel's function_graph tracer describes the form.

#pragma once

#include "foundation/options.h"

#include <cstdint>
#include <string>

namespace nophook {

// The mark of a duration above 10 us, 100 us, 1 ms, 10 ms, 100 ms or 1 s; below, ' '.
char duration_mark(uint64_t ns);

// Mark and digits, 14 columns (more above 10^8 us). Returns the number of characters written.
constexpr size_t kGraphDurationBytes = 40;
size_t graph_duration(uint64_t ns, char text[kGraphDurationBytes]);
std::string graph_duration(uint64_t ns);

enum class TimeUnit : uint8_t { kAuto, kMicroseconds, kNanoseconds };

// A duration for tables: three or more digits and a fitting unit, such as "1.234 ms"; or the unit
// that the user wants.
std::string short_duration(uint64_t ns, TimeUnit unit = TimeUnit::kAuto);

// The user's choice of a unit: the option --time-unit of tables.
struct TimeUnitOption {
  std::string said;

  VerbOption row() {
    return {"--time-unit",
            &said,
            "the unit of durations in tables: auto (one that fits, the default), us, ns",
            {.type = "UNIT", .allowed = "auto us ns"}};
  }
  TimeUnit unit() const {
    return said == "us"   ? TimeUnit::kMicroseconds
           : said == "ns" ? TimeUnit::kNanoseconds
                          : TimeUnit::kAuto;
  }
  // Checks that there is a table. Fails for `json`.
  Result<> check(const std::string &verb, bool json) const {
    if (json && !said.empty())
      return Error{verb, "--time-unit", "is for tables: JSON has nanoseconds", kExitUsage};
    return {};
  }
};

} // namespace nophook
