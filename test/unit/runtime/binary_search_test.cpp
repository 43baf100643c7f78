// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The binary search against a count of all elements, also beside the largest number.

#include "base/binary_search.h"

#include <gtest/gtest.h>

#include <vector>

namespace nophook {
namespace {

TEST(BinarySearch, FindsTheFirstThatIsNotBefore) {
  for (uint64_t count = 0; count <= 20; count++)
    for (uint64_t before = 0; before <= count; before++)
      EXPECT_EQ(lower_bound(count, [&](uint64_t i) { return i < before; }), before) << count;
}

TEST(BinarySearch, AsksOnlyForElementsThatExist) {
  const std::vector<int> numbers = {1, 3, 3, 3, 7};
  auto bound = [&](int wanted) {
    return lower_bound(numbers.size(), [&](uint64_t i) { return numbers.at(i) < wanted; });
  };
  EXPECT_EQ(bound(0), 0u);
  EXPECT_EQ(bound(3), 1u);
  EXPECT_EQ(bound(4), 4u);
  EXPECT_EQ(bound(8), 5u);
}

TEST(BinarySearch, AsksFewTimes) {
  uint64_t asked = 0;
  const uint64_t far = UINT64_MAX - 5; // (low + high) / 2 would overflow
  EXPECT_EQ(lower_bound(UINT64_MAX, [&](uint64_t i) { return asked++, i < far; }), far);
  EXPECT_LE(asked, 64u);
}

} // namespace
} // namespace nophook
