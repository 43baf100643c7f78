// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of functions, against std::vector<bool>.

#include "ops/hash.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace nophook;

namespace {

void expect_same(const FtraceHash *hash, const std::vector<bool> &wanted) {
  for (uint32_t id = 0; id < wanted.size(); id++)
    ASSERT_EQ(hash_has(hash, id), wanted[id]) << id;
}

} // namespace

TEST(Hash, RangesOfEachLengthAndPlace) {
  constexpr uint32_t kIds = 256;
  for (uint32_t first = 0; first <= 130; first++)
    for (uint32_t count = 0; count <= 126; count++) {
      FtraceHash *hash = new_hash(kIds);
      ASSERT_TRUE(hash && hash_is_empty(hash));
      std::vector<bool> wanted(kIds);
      hash_set_range(hash, first, count, true);
      for (uint32_t i = first; i < first + count; i++)
        wanted[i] = true;
      expect_same(hash, wanted);
      hash_set_range(hash, 0, kIds, true);
      hash_set_range(hash, first, count, false);
      wanted.flip();
      expect_same(hash, wanted);
      free_hash(hash);
    }
}

TEST(Hash, SingleFunctions) {
  std::mt19937 random(1);
  std::vector<bool> wanted(1000);
  FtraceHash *hash = new_hash(1000);
  ASSERT_TRUE(hash);
  for (int i = 0; i < 5000; i++) {
    uint32_t id = random() % 1000;
    bool value = random() % 2;
    hash_set(hash, id, value);
    wanted[id] = value;
  }
  expect_same(hash, wanted);
  EXPECT_FALSE(hash_is_empty(hash));
  free_hash(hash);
}

TEST(Hash, NothingIsInNoSetNorBehindItsRoom) {
  EXPECT_FALSE(hash_has(nullptr, 0));
  EXPECT_TRUE(hash_is_empty(nullptr));
  FtraceHash *hash = new_hash(1);
  ASSERT_TRUE(hash);
  EXPECT_EQ(hash->ids, 64u);
  hash_set_range(hash, 0, 64, true);
  EXPECT_TRUE(hash_has(hash, 63));
  EXPECT_FALSE(hash_has(hash, 64));
  EXPECT_FALSE(hash_has(hash, ~0u));
  free_hash(hash);
  free_hash(nullptr);
}

TEST(Hash, OneThatIsUsedAgainIsEmpty) {
  std::vector<FtraceHash *> hashes;
  for (uint32_t i = 0; i < 50; i++) { // more than are kept, in different sizes
    FtraceHash *hash = new_hash(64 + i % 3 * 64);
    ASSERT_TRUE(hash && hash_is_empty(hash));
    ASSERT_EQ(hash->ids, 64 + i % 3 * 64);
    hash_set_range(hash, 0, hash->ids, true);
    hashes.push_back(hash);
    if (i % 4 == 3)
      for (int k = 0; k < 3; k++) {
        free_hash(hashes.back());
        hashes.pop_back();
      }
  }
  for (FtraceHash *hash : hashes)
    free_hash(hash);
}
