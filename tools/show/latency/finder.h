// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times that threads took from one point to another: the number of times of each length, and
// the longest ones.
//
// The threads are read by several workers. So each worker has a Finder, and their results are
// merged at the end. Sums and the order of the longest do not depend on which worker has read which
// thread.

#pragma once

#include "read/analyse/longest.h"
#include "read/analyse/tracing_cost.h"
#include "read/select/step_filter.h"
#include "show/latency/points.h"
#include "show/print/latency_text.h"

namespace nophook {

// The results of one worker.
struct FoundTimes {
  explicit FoundTimes(size_t longest_ones) : longest(longest_ones) {}

  void add(const Interval &interval, const TscClock &clock) {
    const uint64_t ns = clock.duration(interval.ticks());
    ticks += interval.ticks();
    durations.add(ns);
    rows.add(ns);
    longest.add(interval);
  }

  void merge(const FoundTimes &other) {
    ticks += other.ticks;
    durations.merge(other.durations);
    rows.merge(other.rows);
    longest.merge(other.longest);
    cost.merge(other.cost);
  }

  uint64_t ticks = 0;
  DurationHistogram durations;
  DurationRows rows;
  LongestIntervals longest;
  TracingCost cost;
};

class Finder {
public:
  // `to`: null: each call of `from` to its own return. `filter`: null: everything. Keeps the
  // `longest_ones` longest times.
  Finder(const Point &from, const Point *to, Functions &functions, const TscClock &clock,
         const StepFilter *filter, size_t longest_ones);

  void read(Thread &thread);

  const FoundTimes &found() const { return found_; }
  const std::optional<StepFilter> &filter() const { return filter_; }

private:
  void look_for_calls(const Step &step, uint32_t process);
  void look_for_points(const Step &step, uint32_t process);
  void look_at(uint64_t tsc, bool begins, bool ends);

  KnownPoint from_;
  std::optional<KnownPoint> to_;
  const TscClock &clock_;
  std::optional<StepFilter> filter_;
  FoundTimes found_;
  uint32_t stream_ = 0; // stream of the present thread
  bool is_open_ = false;
  uint64_t start_ = 0;
};

// Adds the thread to each time. `calls_of`: the function whose calls the times are, and whose
// arguments are read; or null.
std::vector<LatencyCase> cases_of(const Recording &recording, Functions &functions,
                                  const std::vector<Interval> &intervals, const Point *calls_of);

} // namespace nophook
