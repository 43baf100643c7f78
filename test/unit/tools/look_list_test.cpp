// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of code that must not be on a stack, and the frame of a stack that has such code.

#include "patch/look_list.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

using namespace nophook;

namespace {

constexpr char kText[] = "look 0000000000000007\n"
                         "code 0000000000001000 0000000000001010\n"
                         "thread 42 00000000c0000001\n"
                         "way 0000000000009000 0000000000009fff\n";

// Reads memory in which every word is this one.
ReadMemory filled_with(uint64_t word) {
  return [=](uint64_t, void *to, size_t bytes) {
    for (size_t i = 0; i < bytes / 8; i++)
      static_cast<uint64_t *>(to)[i] = word;
    return true;
  };
}

std::optional<size_t> inside(std::vector<StackFrame> frames, const ReadMemory &read) {
  const auto list = parse_looks(kText);
  UnwoundStack stack;
  stack.frames = std::move(frames);
  return frame_inside(stack, list->looks[0], list->ways, read);
}

} // namespace

TEST(LookList, Parses) {
  const auto list = parse_looks(kText);
  ASSERT_TRUE(list && list->looks.size() == 1 && list->looks[0].threads.size() == 1);
  EXPECT_EQ(list->looks[0].number, 7u);
  EXPECT_EQ(list->looks[0].threads[0].tid, 42);
  EXPECT_EQ(list->looks[0].threads[0].state, 0xc0000001u);
  EXPECT_EQ(list->ways.size(), 1u);
  for (const char *wrong :
       {"code 1 2\n", "look x\n", "look 1\ncode 1\n", "look 1\nthread 1 2 3\n", "word 1\n"})
    EXPECT_FALSE(parse_looks(wrong)) << wrong;
}

// The text comes from another process. Every byte becomes every other one, and every cut is tried.
TEST(LookList, DamagedTextIsRefusedOrHasALineForEachFact) {
  const auto check = [](const std::string &text) {
    const auto list = parse_looks(text);
    if (!list)
      return;
    size_t facts = list->ways.size();
    for (const Look &look : list->looks)
      facts += 1 + look.code.size() + look.threads.size();
    const auto lines = (size_t)std::ranges::count(text, '\n');
    EXPECT_EQ(facts, lines + (!text.empty() && text.back() != '\n')) << text;
  };
  const std::string whole = kText;
  for (size_t at = 0; at < whole.size(); at++) {
    check(whole.substr(0, at));
    check(whole.substr(at));
    for (int byte = 0; byte < 256; byte++) {
      std::string damaged = whole;
      damaged[at] = (char)byte;
      check(damaged);
    }
  }
}

TEST(LookList, EndOfCodeCounts) {
  const ReadMemory none = filled_with(0);
  EXPECT_EQ(inside({{0x500, 0x100000}, {0x1010, 0x100100}}, none), 1u);
  EXPECT_EQ(inside({{0x500, 0x100000}, {0x1011, 0x100100}}, none), std::nullopt);
}

TEST(LookList, ASleepersWordsAreFound) {
  const Look look = parse_looks(kText)->looks[0];
  // One word, behind the first chunks, is in the code.
  const ReadMemory read = [](uint64_t address, void *to, size_t bytes) {
    for (size_t i = 0; i < bytes / 8; i++)
      static_cast<uint64_t *>(to)[i] = address + i * 8 == 0x130000 ? 0x1008 : 0x2000;
    return true;
  };
  EXPECT_EQ(word_inside(0x1000, 0x100000, 0x140000, look, filled_with(0)), 0x1000u);
  EXPECT_EQ(word_inside(0x500, 0x100000, 0x140000, look, read), 0x1008u);
  EXPECT_EQ(word_inside(0x500, 0x100004, 0x130000, look, read), std::nullopt);
  EXPECT_EQ(word_inside(0x500, 0x140000, 0, look, read), std::nullopt);
}

TEST(LookList, WordsOfTrampolinesCount) {
  EXPECT_EQ(inside({{0x500, 0x100000}, {0x9100, 0x100100}, {0x600, 0x100200}}, filled_with(0x1000)),
            1u);
  EXPECT_EQ(inside({{0x500, 0x100000}, {0x9100, 0x100100}, {0x600, 0x100200}}, filled_with(0x2000)),
            std::nullopt);
  EXPECT_EQ(inside({{0x500, 0x100000}, {0x600, 0x100100}}, filled_with(0x1000)), std::nullopt);
  const ReadMemory unreadable = [](uint64_t, void *, size_t) { return false; };
  EXPECT_EQ(inside({{0x9100, 0x100000}, {0x600, 0x100100}}, unreadable), 0u);
}
