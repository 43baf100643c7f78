// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The longest of many intervals, the longest first. The earlier of equal ones comes first, so the
// order does not depend on the order in which they were found.

#pragma once

#include "read/analyse/interval_tree.h"

#include <algorithm>
#include <tuple>

namespace nophook {

class LongestIntervals {
public:
  explicit LongestIntervals(size_t most) : most_(most) {}

  void add(const Interval &interval) {
    if (intervals_.size() == most_) {
      if (!comes_first(interval, intervals_.front()))
        return;
      std::ranges::pop_heap(intervals_, comes_first); // the shortest one
      intervals_.pop_back();
    }
    intervals_.push_back(interval);
    std::ranges::push_heap(intervals_, comes_first);
  }

  void merge(const LongestIntervals &other) {
    for (const Interval &interval : other.intervals_)
      add(interval);
  }

  std::vector<Interval> sorted() const {
    std::vector<Interval> sorted = intervals_;
    std::ranges::sort(sorted, comes_first);
    return sorted;
  }

private:
  static bool comes_first(const Interval &a, const Interval &b) {
    return std::tuple(b.ticks(), a.from, a.stream) < std::tuple(a.ticks(), b.from, b.stream);
  }

  size_t most_;                     // at least 1
  std::vector<Interval> intervals_; // a heap: the shortest is in front
};

} // namespace nophook
