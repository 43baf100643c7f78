// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The activity of a thread between two moments: the calls that began in that time, merged by their
// callers, and each function's part of it.
//
// A call may go on behind the last moment. Then the part up to it counts, so that no time is
// missing and none is too much.

#pragma once

#include "read/analyse/call_graph.h"
#include "read/analyse/costs.h"

namespace nophook {

struct Interval {
  uint64_t from = 0, to = 0; // in ticks, both included
  uint32_t stream = 0;
  uint64_t ticks() const { return to - from; }
  bool has(const Step &step) const { return step.tsc >= from && step.tsc <= to; }
};

struct IntervalSummary {
  uint64_t calls = 0; // number of calls of traced functions
  CallGraph graph;
  std::vector<FunctionCost> functions; // by self time, the longest first
};

// `filter`: chooses the calls that are shown, by their functions; their time is that of the whole.
IntervalSummary summarize(Recording &recording, Functions &functions, const Interval &interval,
                          std::optional<StepFilter> filter = std::nullopt);

} // namespace nophook
