// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coroutines whose stacks lie within 8 MiB of each other: a call that returns after the one that
// resumed it has gone on was not left.

#include "read/steps/stack_borders.h"
#include "synthetic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr uint64_t kFar = 4000; // 64,000 bytes further down

Timeline::Source source_of(const Words &words) {
  return [&words, given = false](Timeline::Words *next) mutable {
    *next = {subbuf_header(), words.words, nullptr};
    return !std::exchange(given, true);
  };
}

// The tree of calls, made in the way of a recording's readers.
std::string tree(const Words &words) {
  Timeline timeline(source_of(words));
  timeline.find_borders_by([&] {
    return std::make_shared<const std::vector<StackBorder>>(find_stack_borders(source_of(words)));
  });
  std::string text;
  for (Step step; timeline.next(&step);)
    text += fmt::format("{}{}.{}{}{}", text.empty() ? "" : " ", step.stack, step.id, sign_of(step),
                        step.end ? end_name(step.end) : "");
  return text;
}

// The outer function (1) resumes the inner one (2), whose step (3) waits while the outer function
// uses (4) its value.
TEST(StackBorders, AGeneratorIsNotLeft) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(2, kFar, 2)
                     .entry(3, kFar + 10, 3)
                     .entry(4, 20, 4)
                     .exit(4, 20, 5)
                     .exit(3, kFar + 10, 6)
                     .entry(3, kFar + 10, 7)
                     .entry(4, 20, 8)
                     .exit(4, 20, 9)
                     .exit(3, kFar + 10, 10)
                     .exit(2, kFar, 11)
                     .exit(1, 10, 12)),
            "0.1{ 1.2{ 1.3{ 0.4; 1.3} 1.3{ 0.4; 1.3} 1.2} 0.1}");
}

TEST(StackBorders, AFunctionWithALargeFrameCallsOnTheSameStack) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(2, kFar, 2)
                     .entry(3, kFar + 10, 3)
                     .exit(3, kFar + 10, 4)
                     .exit(2, kFar, 5)
                     .entry(4, 20, 6)
                     .exit(4, 20, 7)
                     .exit(1, 10, 8)),
            "0.1{ 0.2{ 0.3; 0.2} 0.4; 0.1}");
}

// 3 throws, 1 catches, and does the same again.
TEST(StackBorders, AnExceptionLeaves) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(2, kFar, 2)
                     .entry(3, kFar + 10, 3)
                     .entry(4, 20, 4)
                     .exit(4, 20, 5)
                     .entry(2, kFar, 6)
                     .entry(3, kFar + 10, 7)
                     .exit(3, kFar + 10, 8)
                     .exit(2, kFar, 9)
                     .exit(1, 10, 10)),
            "0.1{ 0.2{ 0.3;left 0.2}left 0.4; 0.2{ 0.3; 0.2} 0.1}");
}

// Two levels of large frames: the outer function returns after the inner one, which it has called,
// has done its work.
TEST(StackBorders, NestedLargeFramesAreOneStack) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(2, 1000, 2)
                     .entry(3, 2000, 3)
                     .entry(4, 2010, 4)
                     .exit(4, 2010, 5)
                     .exit(3, 2000, 6)
                     .exit(2, 1000, 7)
                     .exit(1, 10, 8)),
            "0.1{ 0.2{ 0.3{ 0.4; 0.3} 0.2} 0.1}");
}

} // namespace
