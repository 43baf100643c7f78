// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The costs of each function, over all threads of a recording; or of each thread, module or source
// file.
//
//   hits       calls, those included whose end was not recorded
//   self       time in the function itself: its own calls minus the traced calls within them
//   total      time from its start to its end; of a recursive function only the outermost call,
//              so that no total exceeds what passed
//   durations  of each call, recursive ones included, for percentiles
//
// A group of functions counts as one function does: the total of a module is the time from where a
// thread enters it to where the thread leaves it.

#pragma once

#include "read/analyse/duration_histogram.h"
#include "read/select/step_filter.h"

namespace nophook {

enum class CostsBy : uint8_t { kFunction, kThread, kModule, kFile };

struct FunctionCost {
  uint64_t key = 0;  // Functions::key; of a group: its number
  std::string group; // name of a thread, module or file; empty for a function
  uint64_t hits = 0;
  uint64_t self_ticks = 0;
  uint64_t total_ticks = 0;
  std::shared_ptr<DurationHistogram> durations = nullptr; // in ticks; null: not requested

  const std::string &name(Functions &functions) const {
    return group.empty() ? functions.name_of_key(key) : group;
  }
};

struct CostQuery {
  CostsBy by = CostsBy::kFunction;
  bool durations = false; // for functions: percentiles are requested
};

// Reads the whole recording; `filter` may be null. The most expensive comes first: by self time,
// then by hits.
std::vector<FunctionCost> read_costs(Recording &recording, Functions &functions, StepFilter *filter,
                                     Skipped *skipped, const CostQuery &query = {});

// The costs in a profile: sums over all threads, by key. A profile does not show which calls are
// within others, so groups of functions have no total.
std::vector<FunctionCost> profile_costs(const Recording &recording, Functions &functions,
                                        CostsBy by = CostsBy::kFunction);

} // namespace nophook
