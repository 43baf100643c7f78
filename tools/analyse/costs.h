// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each function cost, over all threads of a recording.
//
//   hits    calls, those included whose end was not recorded
//   self    time in the function itself: its own calls minus the traced calls within them
//   total   time from its begin to its end; of a recursive function only the outermost call,
//           so that no total exceeds what passed

#pragma once

#include "select/step_filter.h"

namespace nophook {

struct FunctionCost {
  uint64_t key = 0; // Functions::key
  uint64_t hits = 0;
  uint64_t self_ticks = 0;
  uint64_t total_ticks = 0;
};

// Reads the whole recording; `filter` may be null. The most expensive first: by self time, then
// hits.
std::vector<FunctionCost> read_costs(Recording &recording, Functions &functions, StepFilter *filter,
                                     uint64_t *skipped);

// Those of a profile: sums over all threads, by key.
std::vector<FunctionCost> profile_costs(const Recording &recording, Functions &functions);

} // namespace nophook
