// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of calls in windows of time, with a clock that costs nothing and with an expensive one.

#include "selection/call_counters.h"

#include <gtest/gtest.h>

using namespace nophook;

namespace {

struct Clock {
  uint32_t window = 7;
  int reads = 0;
};

// The number of `calls` that are allowed.
int allowed(uint64_t *word, int calls, bool is_dear, Clock &clock) {
  int count = 0;
  for (int i = 0; i < calls; i++)
    count += count_call(word, 5, is_dear, [&] {
      clock.reads++;
      return clock.window;
    });
  return count;
}

TEST(CallCounters, EachWindowAllowsAsMany) {
  uint64_t word = 0;
  Clock clock;
  EXPECT_EQ(allowed(&word, 1000, false, clock), 5);
  clock.window++;
  EXPECT_EQ(allowed(&word, 3, false, clock), 3);
  EXPECT_EQ(allowed(&word, 1000, false, clock), 2);
}

TEST(CallCounters, ADearClockIsReadForFewCalls) {
  uint64_t word = 0;
  Clock clock;
  EXPECT_EQ(allowed(&word, 5, true, clock), 5);
  EXPECT_EQ(clock.reads, 0);
  EXPECT_EQ(allowed(&word, 6400, true, clock), 5); // the first refusal finds the window
  EXPECT_LE(clock.reads, 7 * 100 + 7);
  for (int i = 0; i < 50; i++) {
    clock.window++;
    int refused = 0; // a quiet function is recorded again after 31 calls at most
    while (!allowed(&word, 1, true, clock))
      refused++;
    EXPECT_LE(refused, 31);
    EXPECT_EQ(allowed(&word, 100 + i, true, clock), 4);
  }
}

TEST(CallCounters, WhatIsMutedStaysSo) {
  uint64_t word = kMuted;
  Clock clock;
  EXPECT_EQ(allowed(&word, 10, false, clock) + allowed(&word, 10, true, clock), 0);
  EXPECT_EQ(word, kMuted);
  EXPECT_EQ(clock.reads, 0);
}

TEST(CallCounters, EachNthCall) {
  for (uint64_t every : {1, 2, 3, 100}) {
    uint64_t word = 0;
    for (uint64_t call = 1; call <= 1000; call++)
      EXPECT_EQ(is_nth_call(&word, every), call % every == 0) << call << " of " << every;
  }
  uint64_t word = 12345; // left by an earlier rule
  int count = 0;
  for (int i = 0; i < 1000; i++)
    count += is_nth_call(&word, 10);
  EXPECT_EQ(count, 100);
}

} // namespace
