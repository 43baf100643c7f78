// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's sort against the standard library's.

#include "base/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace {

void sort_and_compare(std::vector<uint32_t> values) {
  std::vector<uint32_t> wanted = values;
  std::sort(wanted.begin(), wanted.end());
  nophook::sort(values.data(), values.size(), [](uint32_t a, uint32_t b) { return a < b; });
  EXPECT_EQ(values, wanted);
}

} // namespace

TEST(Sort, AnyLengthAnyOrder) {
  std::mt19937 random(1);
  for (size_t count = 0; count < 70; count++) {
    std::vector<uint32_t> values(count);
    for (uint32_t &value : values)
      value = random() % 50; // some are equal
    sort_and_compare(values);
    std::iota(values.begin(), values.end(), 0);
    sort_and_compare(values);
    std::reverse(values.begin(), values.end());
    sort_and_compare(values);
    std::fill(values.begin(), values.end(), 7);
    sort_and_compare(values);
  }
}

TEST(Sort, TakesNLogNSteps) {
  std::mt19937 random(2);
  std::vector<uint32_t> values(100'000);
  for (uint32_t &value : values)
    value = random();
  uint64_t steps = 0;
  nophook::sort(values.data(), values.size(), [&](uint32_t a, uint32_t b) {
    steps++;
    return a < b;
  });
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_LT(steps, 100'000u * 17 * 3);
}

TEST(Sort, ASortedTableTakesOneLook) {
  std::vector<uint32_t> values(100'000);
  std::iota(values.begin(), values.end(), 0);
  uint64_t steps = 0;
  nophook::sort(values.data(), values.size(), [&](uint32_t a, uint32_t b) {
    steps++;
    return a < b;
  });
  EXPECT_LT(steps, 100'000u);
}
