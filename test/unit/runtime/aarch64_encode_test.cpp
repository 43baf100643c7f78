// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64 instructions against the words that llvm-mc gives for them.

#include "arch/aarch64/encode.h"

#include <gtest/gtest.h>

namespace aarch64 = nophook::aarch64;

TEST(AArch64Encode, Calls) {
  EXPECT_EQ(aarch64::encode_call(0x10000, 0x10000), 0x94000000u);             // bl #0
  EXPECT_EQ(aarch64::encode_call(0x10000, 0x10004), 0x94000001u);             // bl #4
  EXPECT_EQ(aarch64::encode_call(0x10000, 0xfffc), 0x97ffffffu);              // bl #-4
  EXPECT_EQ(aarch64::encode_call(0x10000, 0x10000 + 0x1234560), 0x9448d158u); // bl #0x1234560
  EXPECT_EQ(aarch64::encode_call(0x8000000, 0), 0x96000000u);                 // bl #-0x8000000
}

TEST(AArch64Encode, Jumps) {
  EXPECT_EQ(aarch64::encode_jump(0, 0x7fffffc), 0x15ffffffu); // b #0x7fffffc
  EXPECT_EQ(aarch64::encode_jump(0x1234, 0), 0x17fffb73u);    // b #-0x1234
}

TEST(AArch64Encode, FixedWords) {
  EXPECT_EQ(aarch64::kNop, 0xd503201fu);
  EXPECT_EQ(aarch64::kMovX9X30, 0xaa1e03e9u);
  EXPECT_EQ(aarch64::kBtiC, 0xd503245fu);
  EXPECT_EQ(aarch64::kPaciasp, 0xd503233fu);
}

TEST(AArch64Encode, TargetIsTheInverse) {
  const uint64_t from = 0x400000001000;
  for (int64_t distance : {0, 4, -4, 0x7fffffc, -0x8000000, 0x1234560, -0x1234560}) {
    const uint64_t to = from + (uint64_t)distance;
    EXPECT_EQ(aarch64::target_of(from, aarch64::encode_call(from, to)), to) << distance;
    EXPECT_EQ(aarch64::target_of(from, aarch64::encode_jump(from, to)), to) << distance;
  }
}

TEST(AArch64Encode, ReachEndsWithTheField) {
  const uint64_t from = 0x400000000000;
  EXPECT_TRUE(aarch64::reaches(from, from + 0x7fffffc));
  EXPECT_FALSE(aarch64::reaches(from, from + 0x8000000));
  EXPECT_TRUE(aarch64::reaches(from, from - 0x8000000));
  EXPECT_FALSE(aarch64::reaches(from, from - 0x8000004));
  EXPECT_FALSE(aarch64::reaches(from, from + 2)); // between instructions
}

TEST(AArch64Encode, Recognises) {
  EXPECT_TRUE(aarch64::is_call(aarch64::encode_call(0x1000, 0)));
  EXPECT_TRUE(aarch64::is_call(aarch64::encode_call(0, 0x1000)));
  EXPECT_FALSE(aarch64::is_call(aarch64::encode_jump(0, 0x1000)));
  EXPECT_FALSE(aarch64::is_call(aarch64::kNop));
  EXPECT_TRUE(aarch64::is_landing_pad(aarch64::kBtiC));
  EXPECT_TRUE(aarch64::is_landing_pad(aarch64::kPaciasp));
  EXPECT_FALSE(aarch64::is_landing_pad(aarch64::kNop));
}
