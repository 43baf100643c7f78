// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the seen functions, and writes the totals as JSON.

#include "process/drain/drain_totals.h"

#include "process/drain/words.h"

#include <algorithm>

namespace nophook {

uint64_t DrainTotals::function_count(uint8_t mark) const {
  uint64_t n = 0;
  for (const auto &[module, marks] : functions)
    n += (uint64_t)std::ranges::count_if(marks, [&](const auto &m) { return m.second & mark; });
  return n;
}

Json DrainTotals::json() const {
  return {{"events", events},
          {"lost", lost},
          {"overwritten", overwritten},
          {"threads", threads},
          {"processes", processes},
          {"functions", function_count(SeenFunctions::kSeen)},
          {"entry_only_functions", function_count(SeenFunctions::kEntryOnly)}};
}

} // namespace nophook
