// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values behind an event, from bytes that are right and from any others.

#include "print/call_values.h"

#include <nophook/buffer.h>

#include <gtest/gtest.h>
#include <random>

namespace nophook {
namespace {

std::vector<uint64_t> words_of(std::vector<uint8_t> bytes) {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < bytes.size(); i += NOPHOOK_VALUES_PER_WORD) {
    uint64_t word = 0;
    for (size_t k = 0; k < NOPHOOK_VALUES_PER_WORD && i + k < bytes.size(); k++)
      word |= (uint64_t)bytes[i + k] << 8 * k;
    words.push_back(~word);
  }
  return words;
}

constexpr uint8_t tag(unsigned what, unsigned number) {
  return (uint8_t)(what << NOPHOOK_VALUE_SHIFT | number);
}

// (const char *text, double d), in rdi and xmm0.
class CallValues : public testing::Test {
protected:
  CallValues() {
    text.kind = NOPHOOK_KIND_C_STRING;
    text.bytes = 8;
    text.name = "char const *";
    number.kind = NOPHOOK_KIND_FLOAT;
    number.bytes = 8;
    number.name = "double";
    prototype.parameters = {{"text", &text, NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, 5, 0), {}},
                            {"d", &number, NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, 0, 0), {}}};
    prototype.result = prototype.parameters[1];
  }
  std::string shown(const std::vector<uint8_t> &bytes) {
    return argument_list(argument_values(&prototype, words_of(bytes)));
  }

  Type text, number;
  Prototype prototype;
};

// 1.5 is 0x3ff8000000000000.
const std::vector<uint8_t> kOneAndAHalf = {
    tag(NOPHOOK_VALUE_SSE, 0), 8, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f};

std::vector<uint8_t> operator+(std::vector<uint8_t> a, const std::vector<uint8_t> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(CallValues, AreShownByTheirPrototype) {
  std::vector<uint8_t> rdi = {NOPHOOK_VALUES_CALL, tag(NOPHOOK_VALUE_GENERAL, 5), 0xc0, 0x00};
  std::vector<uint8_t> memory = {tag(NOPHOOK_VALUE_MEMORY, 0), 0xc0, 0x00, 3, 'h', 'i', 0};
  EXPECT_EQ(shown(rdi + memory + kOneAndAHalf), "text=\"hi\", d=1.5");
  EXPECT_EQ(shown(rdi + kOneAndAHalf), "text=0x40, d=1.5");
  EXPECT_EQ(shown(rdi), "text=0x40, d=<unknown place>");
  EXPECT_EQ(result_value(&prototype, words_of(rdi + kOneAndAHalf))->text, "1.5");
}

TEST_F(CallValues, WithoutPrototypeAreTheRegistersOfIntegers) {
  auto words = words_of(
      {NOPHOOK_VALUES_CALL, tag(NOPHOOK_VALUE_GENERAL, 4), 2, tag(NOPHOOK_VALUE_GENERAL, 5), 0x7f});
  EXPECT_EQ(argument_list(argument_values(nullptr, words)), "0xffffffffffffffff, 0x2");
}

TEST_F(CallValues, OfAnotherFormatAreNone) {
  auto words = words_of({NOPHOOK_VALUES_CALL + 1, tag(NOPHOOK_VALUE_GENERAL, 5), 1});
  EXPECT_TRUE(argument_values(nullptr, words).empty());
  EXPECT_FALSE(result_value(nullptr, words).has_value());
}

TEST_F(CallValues, SurviveAnyBytes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200000; round++) {
    std::vector<uint8_t> bytes = {NOPHOOK_VALUES_CALL};
    for (size_t i = random() % 40; i > 0; i--)
      bytes.push_back(random() % 4 ? (uint8_t)random() : tag(random() % 8, random() % 4));
    EXPECT_FALSE(shown(bytes).empty());
    result_value(&prototype, words_of(bytes));
  }
}

} // namespace
} // namespace nophook
