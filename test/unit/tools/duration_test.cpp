// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Durations in the kernel's form.

#include "show/print/duration.h"

#include <gtest/gtest.h>

using namespace nophook;

TEST(Duration, MarksAreStrictlyAbove) {
  EXPECT_EQ(duration_mark(0), ' ');
  EXPECT_EQ(duration_mark(10'000), ' ');
  EXPECT_EQ(duration_mark(10'001), '+');
  EXPECT_EQ(duration_mark(100'001), '!');
  EXPECT_EQ(duration_mark(1'000'001), '#');
  EXPECT_EQ(duration_mark(10'000'001), '*');
  EXPECT_EQ(duration_mark(100'000'001), '@');
  EXPECT_EQ(duration_mark(1'000'000'000), '@');
  EXPECT_EQ(duration_mark(1'000'000'001), '$');
}

TEST(Duration, DigitsNeverExceedTheColumn) {
  EXPECT_EQ(graph_duration(0), "  0.000 us    ");
  EXPECT_EQ(graph_duration(680), "  0.680 us    ");
  EXPECT_EQ(graph_duration(11'300), "+ 11.300 us   ");
  EXPECT_EQ(graph_duration(130'456), "! 130.456 us  ");
  EXPECT_EQ(graph_duration(1'234'567), "# 1234.567 us ");
  EXPECT_EQ(graph_duration(12'345'678), "* 12345.67 us ");
  EXPECT_EQ(graph_duration(123'456'789), "@ 123456.7 us ");
  EXPECT_EQ(graph_duration(1'234'567'890), "$ 1234567 us  ");
  EXPECT_EQ(graph_duration(123'456'789'012), "$ 123456789 us ");
}

TEST(Duration, TablesUseAFittingUnit) {
  EXPECT_EQ(short_duration(0), "0.000 us");
  EXPECT_EQ(short_duration(1'500), "1.500 us");
  EXPECT_EQ(short_duration(2'500'000), "2.500 ms");
  EXPECT_EQ(short_duration(61'000'000'000), "61.000 s");
}

TEST(Duration, TablesUseTheUnitThatWasAskedFor) {
  EXPECT_EQ(short_duration(0, TimeUnit::kMicroseconds), "0.000 us");
  EXPECT_EQ(short_duration(1'005, TimeUnit::kMicroseconds), "1.005 us");
  EXPECT_EQ(short_duration(61'000'000'000, TimeUnit::kMicroseconds), "61000000.000 us");
  EXPECT_EQ(short_duration(61'000'000'000, TimeUnit::kNanoseconds), "61000000000 ns");
}
