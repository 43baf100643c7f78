// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A general register takes a payload word, and a second one only if its upper bits are not its
// sign.

#include "capture/register_values.h"

#include <gtest/gtest.h>
#include <vector>

namespace nophook {
namespace {

std::vector<uint64_t> payloads(std::vector<uint8_t> numbers, uint64_t value) {
  ftrace_regs regs{};
  regs.general.set_result(value);
  RegisterList list = {};
  for (uint8_t number : numbers)
    list.numbers[list.count++] = number;
  RegisterValues values;
  EXPECT_TRUE(keep_registers(list, &regs, &values));
  std::vector<uint64_t> words;
  for (uint32_t i = 0; i < values.count; i++)
    words.push_back(~values.words[i]);
  return words;
}

TEST(RegisterValues, TakeAWordIfTheyFit) {
  EXPECT_EQ(payloads({0}, 0), std::vector<uint64_t>{0x80});
  EXPECT_EQ(payloads({0}, 0x7fffffffffff), std::vector<uint64_t>{0x7fffffffffff80});
  EXPECT_EQ(payloads({0}, ~uint64_t{0}), std::vector<uint64_t>{0xffffffffffff80});
  EXPECT_EQ(payloads({0}, 0xffff800000000000), std::vector<uint64_t>{0x80000000000080});
}

TEST(RegisterValues, TakeTwoWordsElse) {
  EXPECT_EQ(payloads({0}, 0x800000000000), (std::vector<uint64_t>{0xc0, 0x80000000000080}));
  EXPECT_EQ(payloads({0}, 0xfedcba9876543210), (std::vector<uint64_t>{0xfedcc0, 0xba987654321080}));
}

TEST(RegisterValues, StandInTheOrderOfTheList) {
  EXPECT_EQ(payloads({5, 0, 15}, 1), (std::vector<uint64_t>{0x85, 0x180, 0x8f}));
  EXPECT_EQ(payloads({0, 0, 0, 0, 0, 0, 0, 0, 0}, uint64_t{1} << 63).size(), 18u);
  EXPECT_TRUE(payloads({}, 1).empty());
}

TEST(RegisterValues, AreNotAllOfAListWithOthers) {
  ftrace_regs regs{};
  RegisterValues values;
  EXPECT_FALSE(keep_registers({RegisterList::kHasOthers, {}}, &regs, &values));
}

} // namespace
} // namespace nophook
