// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/tracing_cost.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr uint64_t kFewest = 16; // number of times; fewer are chance
constexpr uint64_t kMostNs = 250;
constexpr double kMostSlowdown = 1000; // for a call that is all tracing

} // namespace

uint64_t TracingCost::call_ns(const TscClock &clock) const {
  if (gaps_.count() < kFewest || clock.counts_events)
    return 0;
  const uint64_t limit = 3 * gaps_.quantile(0);
  uint64_t short_ones = 0;
  gaps_.for_each_bucket(
      [&](uint64_t, uint64_t to, uint64_t count) { short_ones += to <= limit ? count : 0; });
  const double quartile = (double)short_ones / 4 / (double)gaps_.count();
  return std::min(clock.duration(gaps_.quantile(quartile)), kMostNs);
}

double slowdown(uint64_t ns, uint64_t tracing_ns) {
  if (!tracing_ns)
    return 1;
  if (tracing_ns >= ns)
    return kMostSlowdown;
  return std::min((double)ns / (double)(ns - tracing_ns), kMostSlowdown);
}

} // namespace nophook
