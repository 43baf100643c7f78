// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram's percentiles against those of all durations, sorted.

#include "read/analyse/duration_histogram.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

using namespace nophook;

namespace {

constexpr double kParts[] = {0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1};

uint64_t exact(const std::vector<uint64_t> &sorted, double p) {
  auto rank = (size_t)std::ceil(p * (double)sorted.size());
  return sorted[std::max<size_t>(rank, 1) - 1];
}

void expect_close(const DurationHistogram &histogram, std::vector<uint64_t> values) {
  std::ranges::sort(values);
  ASSERT_EQ(histogram.count(), values.size());
  EXPECT_EQ(histogram.max(), values.back());
  EXPECT_EQ(histogram.average(),
            std::accumulate(values.begin(), values.end(), uint64_t{0}) / values.size());
  for (double p : kParts) {
    auto is = (double)histogram.quantile(p), must = (double)exact(values, p);
    EXPECT_LE(std::abs(is - must), must / 128) << p;
  }
}

// Durations from 1 ns to 1000 s, as many in each octave.
std::vector<uint64_t> durations(uint32_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < count; i++)
    values.push_back((uint64_t)std::exp2((double)(random() % 40'000) / 1000));
  return values;
}

} // namespace

TEST(DurationHistogram, OfNothingIsZero) {
  DurationHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.max(), 0u);
  EXPECT_EQ(histogram.quantile(0.5), 0u);
  histogram.for_each_bucket([](uint64_t, uint64_t, uint64_t) { ADD_FAILURE(); });
}

TEST(DurationHistogram, SmallDurationsAreExact) {
  for (uint64_t ns = 0; ns < 128; ns++) {
    DurationHistogram histogram;
    histogram.add(ns);
    histogram.add(1'000'000);
    EXPECT_EQ(histogram.quantile(0.5), ns);
  }
}

TEST(DurationHistogram, QuantilesAreWithinOnePercent) {
  std::vector<uint64_t> values = durations(1, 20'000);
  DurationHistogram histogram;
  for (uint64_t ns : values)
    histogram.add(ns);
  expect_close(histogram, values);
}

TEST(DurationHistogram, EachValueIsInItsBucket) {
  for (unsigned shift = 0; shift < 64; shift++)
    for (uint64_t ns :
         {(uint64_t{1} << shift) - 1, uint64_t{1} << shift,
          (uint64_t{1} << shift) + (uint64_t{1} << shift) / 3, ~uint64_t{0} >> shift}) {
      DurationHistogram histogram;
      histogram.add(ns);
      unsigned buckets = 0;
      histogram.for_each_bucket([&](uint64_t from, uint64_t to, uint64_t count) {
        buckets++;
        EXPECT_EQ(count, 1u);
        EXPECT_LE(from, ns);
        EXPECT_GE(to, ns);
        EXPECT_LE(to - from, from / 64);
      });
      EXPECT_EQ(buckets, 1u);
      EXPECT_EQ(histogram.quantile(1), ns);
    }
}

TEST(DurationHistogram, BucketsFollowEachOther) {
  DurationHistogram histogram;
  for (uint64_t ns = 0; ns < 5000; ns++)
    histogram.add(ns);
  uint64_t next = 0, all = 0;
  histogram.for_each_bucket([&](uint64_t from, uint64_t to, uint64_t count) {
    EXPECT_EQ(from, next);
    EXPECT_EQ(count, std::min<uint64_t>(to, 4999) - from + 1);
    next = to + 1;
    all += count;
  });
  EXPECT_EQ(all, histogram.count());
}

TEST(DurationHistogram, MergedHistogramsAreThoseOfAllValues) {
  std::vector<uint64_t> some = durations(2, 3000), others = durations(3, 7000);
  DurationHistogram merged, second;
  for (uint64_t ns : some)
    merged.add(ns);
  for (uint64_t ns : others)
    second.add(ns);
  merged.merge(second);
  merged.merge(DurationHistogram());
  some.insert(some.end(), others.begin(), others.end());
  expect_close(merged, some);
}
