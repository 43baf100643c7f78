// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The query in an address may be any text: numbers that fit no integer are cut to the limits.

#include "show/view/query.h"

#include <gtest/gtest.h>

using namespace nophook;

namespace {

TEST(ViewQuery, NumbersAreCutToTheirLimits) {
  EXPECT_EQ(clamped<uint64_t>(-1), 0u);
  EXPECT_EQ(clamped<uint64_t>(1e300), UINT64_MAX);
  EXPECT_EQ(clamped<uint64_t>(18446744073709551616.0), UINT64_MAX); // 2^64, the first too large one
  EXPECT_EQ(clamped<uint32_t>(4294967295.5), UINT32_MAX);
  EXPECT_EQ(clamped<uint32_t>(4294967294.5), UINT32_MAX - 1);
  EXPECT_EQ(clamped<uint32_t>(NAN, 3, 7), 3u);
  EXPECT_EQ(clamped<uint32_t>(INFINITY, 3, 7), 7u);
  EXPECT_EQ(clamped<uint32_t>(-INFINITY, 3, 7), 3u);
  EXPECT_EQ(clamped<size_t>(5.9), 5u);
}

TEST(ViewQuery, TextsOfAllKindsAreRead) {
  ViewQuery query(
      "at=-5&to=9e99&from=nan&depth=12x&name=a%20b%2&threads=1,4294967296,-3,7&empty=&lone");
  EXPECT_EQ(query.integer<uint64_t>("at", 1, 0, 100), 0u);
  EXPECT_EQ(query.integer<uint64_t>("to", 1, 0, 100), 100u);
  EXPECT_EQ(query.integer<uint64_t>("from", 1, 0, 100), 1u);
  EXPECT_EQ(query.integer<uint32_t>("depth", 2, 0, 100), 2u);
  EXPECT_EQ(query.integer<uint32_t>("missing", 2, 0, 100), 2u);
  EXPECT_EQ(query.text("name"), "a b%2");
  EXPECT_EQ(query.numbers("threads"), (std::vector<uint32_t>{1, 7}));
  EXPECT_TRUE(query.has("empty"));
  EXPECT_FALSE(query.has("lone"));
}

} // namespace
