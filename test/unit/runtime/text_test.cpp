// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that are built piece by piece and cut at their capacity, never behind it.

#include "base/bytes.h"

#include <gtest/gtest.h>

using nophook::Text;

TEST(Text, AddsPieces) {
  Text<64> text;
  text.add("a").add("bcd", 2).number(0).add(" ").number(18446744073709551615u).add(" ").hex(0);
  EXPECT_STREQ(text.c_str(), "abc0 18446744073709551615 0x0");
  EXPECT_EQ(text.size(), 29u);
  EXPECT_FALSE(text.full());
}

TEST(Text, Hex) {
  Text<32> text;
  EXPECT_STREQ(text.hex(0x7f00deadbeef).c_str(), "0x7f00deadbeef");
  Text<32> all;
  EXPECT_STREQ(all.hex(~uint64_t{0}).c_str(), "0xffffffffffffffff");
}

TEST(Text, IsCutAtItsCapacity) {
  struct {
    Text<8> text;
    char behind = 'x';
  } both;
  both.text.add("123456789");
  EXPECT_STREQ(both.text.c_str(), "1234567");
  EXPECT_TRUE(both.text.full());
  both.text.add("more").number(1).hex(2).add("m", 1);
  EXPECT_STREQ(both.text.c_str(), "1234567");
  EXPECT_EQ(both.behind, 'x');
}
