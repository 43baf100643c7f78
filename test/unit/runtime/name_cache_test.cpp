// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache of the results of symbol tables: it has the last ones, as many as it has room for, and no
// others.

#include "sites/name_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace nophook {
namespace {

TEST(NameCache, KeepsTheLastPatternsOnly) {
  NameCache *cache = nullptr;
  EXPECT_EQ(recall_pattern(cache, "f"), nullptr);
  for (uint32_t i = 0; i < 2 * kCachedPatterns; i++) {
    uint32_t index[] = {i, i + 1};
    remember_pattern(&cache, ("f" + std::to_string(i)).c_str(), index, 2);
  }
  for (uint32_t i = 0; i < 2 * kCachedPatterns; i++) {
    const CachedPattern *known = recall_pattern(cache, ("f" + std::to_string(i)).c_str());
    ASSERT_EQ(known != nullptr, i >= kCachedPatterns) << i;
    if (known) {
      EXPECT_EQ(known->count, 2u);
      EXPECT_EQ(known->index[1], i + 1);
    }
  }
  EXPECT_EQ(recall_pattern(cache, "f"), nullptr); // a prefix of others
  EXPECT_EQ(recall_pattern(cache, ""), nullptr);
  drop_name_cache(&cache);
  EXPECT_EQ(recall_pattern(cache, "f100"), nullptr);
}

TEST(NameCache, KeepsMissesAndNothingThatHasNoRoom) {
  NameCache *cache = nullptr;
  const uint32_t index[kCachedMatches + 1] = {};
  remember_pattern(&cache, "many", index, kCachedMatches + 1);
  remember_pattern(&cache, std::string(kCachedBytes + 1, 'x').c_str(), index, 1);
  EXPECT_EQ(cache, nullptr);
  remember_pattern(&cache, "none", index, 0);
  remember_pattern(&cache, std::string(kCachedBytes, 'x').c_str(), index, 1);
  ASSERT_NE(recall_pattern(cache, "none"), nullptr);
  EXPECT_EQ(recall_pattern(cache, "none")->count, 0u);
  EXPECT_NE(recall_pattern(cache, std::string(kCachedBytes, 'x').c_str()), nullptr);
  drop_name_cache(&cache);
}

} // namespace
} // namespace nophook
