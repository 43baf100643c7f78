// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values behind an event, from valid bytes and from any others.

#include "read/steps/call_values.h"

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

// Six bytes of a register behind a head.
std::vector<uint8_t> whole(uint32_t what, uint32_t number, uint64_t value) {
  std::vector<uint8_t> bytes = {(uint8_t)(what | number)};
  for (unsigned i = 0; i < 6; i++)
    bytes.push_back((uint8_t)(value >> 8 * i));
  return bytes;
}

TEST_F(CallValues, OfRegistersAloneAreExtendedByTheirSign) {
  auto both = whole(NOPHOOK_VALUE_REGISTER, 5, 0x7fffffffffff) +
              whole(NOPHOOK_VALUE_REGISTER, 4, 0x800000000000);
  EXPECT_EQ(argument_list(argument_values(nullptr, words_of(both))),
            "0x7fffffffffff, 0xffff800000000000");
  EXPECT_EQ(shown(whole(NOPHOOK_VALUE_REGISTER, 5, 0x40)), "text=0x40, d=<unknown place>");
  EXPECT_EQ(result_value(nullptr, words_of(whole(NOPHOOK_VALUE_REGISTER, 0, 7)))->text, "0x7");
}

TEST_F(CallValues, OfRegistersAloneMayHaveUpperBitsOfTheirOwn) {
  auto value =
      whole(NOPHOOK_VALUE_UPPER, 5, 0x1234) + whole(NOPHOOK_VALUE_REGISTER, 5, 0x56789abcdef0);
  auto next = whole(NOPHOOK_VALUE_REGISTER, 4, 1);
  EXPECT_EQ(argument_list(argument_values(nullptr, words_of(value + next))),
            "0x123456789abcdef0, 0x1");
  auto sign = whole(NOPHOOK_VALUE_UPPER, 5, 0) + whole(NOPHOOK_VALUE_REGISTER, 5, 0xffffffffffff);
  EXPECT_EQ(argument_list(argument_values(nullptr, words_of(sign))), "0xffffffffffff");
}

TEST_F(CallValues, OfRegistersAloneEndWhereTheyAreDamaged) {
  auto good = whole(NOPHOOK_VALUE_REGISTER, 5, 1);
  for (auto bad : {whole(NOPHOOK_VALUE_UPPER, 4, 1), whole(NOPHOOK_VALUE_REGISTER, 32, 1),
                   whole(0, 4, 1), std::vector<uint8_t>{NOPHOOK_VALUES_CALL}})
    EXPECT_EQ(argument_list(argument_values(nullptr, words_of(good + bad))), "0x1");
  auto twice = whole(NOPHOOK_VALUE_UPPER, 4, 1) + whole(NOPHOOK_VALUE_UPPER, 4, 1);
  EXPECT_EQ(argument_list(argument_values(nullptr, words_of(good + twice + good))), "0x1");
}

// enum { None, Some(u32), Other { x: u32 } }, whose number is the first word of eight bytes, in
// rdi.
class Variants : public CallValues {
protected:
  Variants() {
    word.kind = NOPHOOK_KIND_UNSIGNED;
    word.bytes = 4;
    none.kind = some.kind = other.kind = NOPHOOK_KIND_STRUCT;
    none.bytes = some.bytes = other.bytes = variant.bytes = 8;
    some.members = {{"__0", &word, 0, 32, 32}};
    other.members = {{"x", &word, 0, 32, 32}};
    variant.kind = NOPHOOK_KIND_VARIANT;
    variant.element = &word;
    variant.members = {{"", &word, 0, 0, 32}, {"None", nullptr, 0},  {"", &none, 0, 0, 64},
                       {"Some", nullptr, 1},  {"", &some, 0, 0, 64}, {"Other", nullptr, 7},
                       {"", &other, 0, 0, 64}};
    prototype.parameters = {{"v", &variant, NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, 5, 0), {}}};
  }
  // The text of the value whose words are these in memory.
  std::string shown(uint32_t number, uint32_t value) {
    std::vector<uint8_t> bytes = {NOPHOOK_VALUES_CALL, tag(NOPHOOK_VALUE_GENERAL, 5)};
    const uint64_t both = number | (uint64_t)value << 32;
    for (unsigned shift = 0; shift < 70; shift += 7)
      bytes.push_back((uint8_t)((shift < 63   ? both >> shift & 0x7f
                                 : both >> 63 ? 0x7f
                                              : 0) |
                                (shift < 63 ? 0x80 : 0)));
    return CallValues::shown(bytes);
  }

  Type word, none, some, other, variant;
};

TEST_F(Variants, AreShownByTheirCase) {
  EXPECT_EQ(shown(0, 9), "v=None");
  EXPECT_EQ(shown(1, 9), "v=Some(9)");
  EXPECT_EQ(shown(7, 9), "v=Other{x=9}");
  EXPECT_EQ(shown(2, 9), "v=bytes 02 00 00 00 09 00 00 00");
}

TEST_F(Variants, HaveACaseForAllOtherNumbers) {
  variant.has_default = true;
  EXPECT_EQ(shown(2, 9), "v=Other{x=9}");
  EXPECT_EQ(shown(1, 9), "v=Some(9)");
}

TEST_F(Variants, SurviveDamage) {
  none.has_more = true; // and no member
  EXPECT_EQ(shown(0, 9), "v=None{, ...}");
  variant.members[3].value = 1ull << 40; // its upper bits do not count
  some.members[0].bit = 1 << 30;
  EXPECT_EQ(shown(1, 9).substr(0, 2), "v=");
  variant.members[0].bits = 0;
  EXPECT_EQ(shown(1, 9), "v={}");
  variant.members.resize(2);
  EXPECT_EQ(shown(1, 9).substr(0, 2), "v=");
  variant.members.clear();
  EXPECT_EQ(shown(1, 9).substr(0, 2), "v=");
  some.members = {{"inner", &variant, 0, 0, 64}};
  variant.members = {{"", &word, 0, 0, 32}, {"Some", nullptr, 1}, {"", &some, 0, 0, 64}};
  EXPECT_EQ(shown(1, 9).substr(0, 2), "v="); // a reference within itself
}

TEST_F(CallValues, SurviveAnyBytes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200000; round++) {
    std::vector<uint8_t> bytes = {NOPHOOK_VALUES_CALL};
    if (round % 2)
      bytes[0] = (uint8_t)(NOPHOOK_VALUE_REGISTER | random());
    for (size_t i = random() % 40; i > 0; i--)
      bytes.push_back(random() % 4 ? (uint8_t)random() : tag(random() % 8, random() % 4));
    EXPECT_FALSE(shown(bytes).empty());
    result_value(&prototype, words_of(bytes));
  }
}

} // namespace
} // namespace nophook
