// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// put_sleb_at_once() writes the bytes of put_sleb(), for numbers of each length and sign.

#include "base/leb.h"

#include <array>
#include <gtest/gtest.h>
#include <random>

namespace nophook {
namespace {

void expect_same(uint64_t value) {
  std::array<uint8_t, 16> one{}, other{};
  const auto bytes = put_sleb(one.data(), value) - one.data();
  ASSERT_EQ(put_sleb_at_once(other.data(), value) - other.data(), bytes) << value;
  ASSERT_TRUE(std::equal(one.begin(), one.begin() + bytes, other.begin())) << value;
}

TEST(Leb, AroundEachPowerOfTwo) {
  for (unsigned shift = 0; shift < 64; shift++)
    for (int beside = -3; beside <= 3; beside++) {
      const uint64_t value = (uint64_t{1} << shift) + (uint64_t)beside;
      expect_same(value);
      expect_same(~value);
    }
}

TEST(Leb, AtRandom) {
  std::mt19937_64 random;
  for (int i = 0; i < 100000; i++) {
    const uint64_t value = random();
    const auto shift = value % 64;
    expect_same(value >> shift);
    expect_same(~value >> shift);
    expect_same((uint64_t)((int64_t)value >> shift));
  }
}

} // namespace
} // namespace nophook
