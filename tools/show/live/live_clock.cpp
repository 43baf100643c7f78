// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the instants of readings for each buffer.

#include "show/live/live_clock.h"

#include "foundation/processor.h"
#include "process/drain/clocks.h"

#include <map>
#include <mutex>

namespace nophook {

namespace {

using Moments = std::vector<TscClock::Moment>;

// The most instants; with more, every other one is dropped, except the last ones.
constexpr size_t kMostMoments = 4096;
// The most buffers; older ones are those of instances that are gone.
constexpr size_t kMostBuffers = 64;

void thin(Moments *moments) {
  size_t left = 1;
  for (size_t i = 1; i < moments->size(); i++)
    if (i % 2 == 0 || i > kMostMoments / 2)
      (*moments)[left++] = (*moments)[i];
  moments->resize(left);
}

} // namespace

TscClock live_clock(const nophook_buffer &header, const TscClock &clock) {
  static std::mutex mutex;
  static std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<const Moments>> buffers;
  // The clock may have changed since `clock` was read: other clocks count nanoseconds already. And
  // a process on another CPU has a counter that cannot be read here.
  if (header.clock != NOPHOOK_CLOCK_TSC || clock.ns_per_tick == 1 ||
      processor_of(header.machine) != kOwnProcessor)
    return clock;
  std::lock_guard guard(mutex);
  if (buffers.size() > kMostBuffers)
    buffers.clear();
  auto &known = buffers[{header.start_tsc, header.start_ns}];
  Moments moments = known ? *known : Moments{{header.start_tsc, header.start_ns}};
  if (moments.size() > kMostMoments)
    thin(&moments);
  // The readings are some 50 ns off: times do not run backwards by that.
  ClockPair now = read_clocks();
  if (now.tsc > moments.back().tsc)
    moments.push_back({now.tsc, std::max(now.monotonic_ns, moments.back().ns)});
  known = std::make_shared<const Moments>(std::move(moments));
  TscClock live = clock;
  live.tsc = header.start_tsc;
  live.ns = header.start_ns;
  live.moments = known;
  return live;
}

} // namespace nophook
