// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of dyn_ftrace records: 9 bytes each, found by index and by address.

#include "sites/records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace nophook;

namespace {

constexpr uint64_t kBias = 0x7f0000000000;

std::vector<uint32_t> some_offsets(uint32_t count) {
  std::mt19937 random(count);
  std::vector<uint32_t> offsets(count);
  uint32_t at = 0;
  for (uint32_t &offset : offsets)
    offset = at += 5 + random() % 100;
  return offsets;
}

} // namespace

class RecordsOf : public testing::TestWithParam<uint32_t> {};

TEST_P(RecordsOf, KeepAddressesAndFlags) {
  const uint32_t count = GetParam();
  const std::vector<uint32_t> offsets = some_offsets(count);
  Records records;
  ASSERT_TRUE(records.build(kBias, offsets.data(), count));
  ASSERT_EQ(records.count(), count);
  EXPECT_EQ(records.page_count(), (count + 452) / 453);
  for (uint32_t i = 0; i < count; i++) {
    ASSERT_EQ(records.ip(i), kBias + offsets[i]) << i;
    EXPECT_EQ(records.flags(i), 0u);
    EXPECT_EQ(records.state(i), 0u);
    records.flags(i) = i * 7;
    records.state(i) = (SiteState)(i << kStateSiteShift | 1);
  }
  uint32_t next = 0;
  records.each([&](uint32_t index, uint64_t ip, uint32_t &flags, SiteState &state) {
    ASSERT_EQ(index, next);
    EXPECT_EQ(ip, kBias + offsets[index]);
    EXPECT_EQ(flags, index * 7);
    EXPECT_EQ(state, (SiteState)(index << kStateSiteShift | 1));
    next++;
  });
  EXPECT_EQ(next, count);
  records.release();
  EXPECT_EQ(records.count(), 0u);
}

TEST_P(RecordsOf, AreFoundByAddress) {
  const uint32_t count = GetParam();
  const std::vector<uint32_t> offsets = some_offsets(count);
  Records records;
  ASSERT_TRUE(records.build(kBias, offsets.data(), count));
  for (uint32_t i = 0; i < count; i++) {
    ASSERT_EQ(records.lower_bound(kBias + offsets[i]), i);
    ASSERT_EQ(records.lower_bound(kBias + offsets[i] + 1), i + 1);
  }
  EXPECT_EQ(records.lower_bound(0), 0u);
  EXPECT_EQ(records.lower_bound(~uint64_t{0}), count);
  records.release();
}

INSTANTIATE_TEST_SUITE_P(Counts, RecordsOf, testing::Values(1, 2, 452, 453, 454, 906, 907, 50'000));

TEST(Records, TakeNineBytesEach) {
  EXPECT_EQ(kRecordsPerPage, 453u);
  EXPECT_LE(sizeof(RecordPage), 4096u);
}

TEST(Records, KeepTheKernelsBits) {
  EXPECT_EQ(kFtraceEnabled | 1, 0x20000001u); // one callback, enabled
  EXPECT_EQ(kFtraceRegs | 1, 0x40000001u);    // wants registers
  EXPECT_EQ(kFtraceEnabled | kFtraceRegs | kFtraceRegsEn | 1, 0xe0000001u);
}
