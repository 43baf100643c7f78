// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walking through a text: numbers up to 64 bits, and nothing behind the end.

#include "events/scanner.h"

#include "guarded_text.h"

#include <gtest/gtest.h>

#include <optional>

using nophook::Scanner;

namespace {

// The number at the start of a text, and the number of its bytes.
std::optional<std::pair<uint64_t, uint64_t>> number(std::string_view text) {
  GuardedText guarded(text);
  Scanner in(guarded.data(), guarded.size());
  uint64_t value = 0;
  if (!in.number(&value)) {
    EXPECT_EQ(in.at(), 0u) << text << ": a refused number is not passed";
    return std::nullopt;
  }
  return std::pair(value, in.at());
}

using Found = std::pair<uint64_t, uint64_t>;

} // namespace

TEST(Scanner, NumbersAreDecimalOrHexadecimal) {
  EXPECT_EQ(number("0"), Found(0, 1));
  EXPECT_EQ(number("42x"), Found(42, 2));
  EXPECT_EQ(number("0x2A)"), Found(42, 4));
  EXPECT_EQ(number("0Xff"), Found(255, 4));
  EXPECT_EQ(number("12ab"), Found(12, 2));
}

TEST(Scanner, NumbersHave64Bits) {
  EXPECT_EQ(number("18446744073709551615"), Found(~uint64_t{0}, 20));
  EXPECT_EQ(number("0xffffffffffffffff"), Found(~uint64_t{0}, 18));
  EXPECT_EQ(number("18446744073709551616"), std::nullopt);
  EXPECT_EQ(number("99999999999999999999"), std::nullopt);
  EXPECT_EQ(number("0x10000000000000000"), std::nullopt);
}

TEST(Scanner, NoNumber) {
  for (const char *text : {"", "x", "-1", " 1", "0x", "0xg"})
    EXPECT_EQ(number(text), std::nullopt) << text;
}

TEST(Scanner, EndsWhereTheTextEnds) {
  GuardedText guarded("ab");
  Scanner in(guarded.data(), guarded.size());
  EXPECT_FALSE(in.skip("abc"));
  EXPECT_TRUE(in.skip("ab"));
  EXPECT_FALSE(in.skip('a'));
  EXPECT_FALSE(in.skip("a"));
  EXPECT_TRUE(in.skip(""));
  EXPECT_EQ(in.peek(), '\0');
  EXPECT_EQ(in.peek(5), '\0');
  EXPECT_EQ(in.next(), '\0');
  in.skip_blanks();
  EXPECT_EQ(in.length_of([](char) { return true; }), 0u);
  EXPECT_TRUE(in.is_end());
  EXPECT_EQ(in.at(), 2u);
}

TEST(Scanner, BlanksAreThoseOfTheKernel) {
  GuardedText guarded(std::string_view(" \t\n\v\f\r\0x", 8));
  Scanner in(guarded.data(), guarded.size());
  in.skip_blanks();
  EXPECT_EQ(in.peek(), 'x');
}
