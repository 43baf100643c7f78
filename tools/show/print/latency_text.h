// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first output of `nophook latency`: the lengths of such times, and the events in the longest.
//
//   # latency: 20.2 ms, server-4711 at 12.345678, the longest of 900 (average 1.1 ms)
//   # p50 1.0 ms, p90 1.2 ms, p99 4.1 ms, max 20.2 ms
//   the histogram, with rows of 1, 2, 5, 10, ...
//   the path: the most expensive call in it, the most expensive one in that, ...
//   the functions with the most time of their own in it

#pragma once

#include "foundation/output.h"
#include "read/analyse/interval_tree.h"
#include "show/print/duration.h"

namespace nophook {

// A histogram of durations in rows of 1, 2, 5, 10, ... nanoseconds: exact counts.
class DurationRows {
public:
  void add(uint64_t ns) { counts_[row_of(ns)]++; }

  struct Row {
    uint64_t from_ns, to_ns; // bounds of the row; `to_ns` is not included
    uint64_t count;
  };
  std::vector<Row> rows() const; // rows from the first that is not empty to the last one

  void merge(const DurationRows &other) {
    for (size_t i = 0; i < kRows; i++)
      counts_[i] += other.counts_[i];
  }

private:
  static constexpr size_t kRows = 64;
  static size_t row_of(uint64_t ns);
  std::array<uint64_t, kRows> counts_ = {};
};

// One of the longest times.
struct LatencyCase {
  Interval interval;
  std::string comm;
  int32_t pid = 0, tid = 0;
  std::string call; // the call with its arguments; empty: the time is not a call's
};

struct LatencySummary {
  LatencyCase shown;
  size_t number = 1;           // rank: the longest is 1
  uint64_t ticks = 0;          // sum of all times
  DurationHistogram durations; // histogram in ns
  DurationRows rows;
  uint64_t tracing_ns = 0; // cost of tracing a call, an estimate; 0: unknown
};

// Prints the first line, which the long form has, too.
void print_latency_head(Output &output, const LatencySummary &summary, const TscClock &clock,
                        TimeUnit unit);

// Prints all lines behind it. `rows`: number of functions; `depth`: levels of the path, 0: all.
void print_latency_summary(Output &output, const LatencySummary &summary,
                           const IntervalSummary &calls, Functions &functions,
                           const TscClock &clock, uint64_t rows, uint32_t depth, TimeUnit unit);

// Prints a line, or an object, for each of the longest times instead.
void print_longest(Output &output, const std::vector<LatencyCase> &cases, const TscClock &clock,
                   TimeUnit unit, bool json);

// Head and summary as a JSON object.
std::string latency_json(const LatencySummary &summary, const IntervalSummary &calls,
                         Functions &functions, const TscClock &clock, uint64_t rows,
                         uint32_t depth);

} // namespace nophook
