// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call tree: the begins and ends of calls that events show, above all those of calls that do
// not end with an exit. A timeline is written as a text, one step a word:
//
//      1{   call of function 1 begins      1}   ends      1;   both
//      1}!  is left without an exit        1;!  the same  1}?  ends, its entry is missing
//      1}t  ends as a tail call does       1}u  ends nobody knows how    1}o  is still open
//      1}x  its thread has ended            1}e  its thread has called exit()
//      1.   entry-only                     the number of leading dots is the depth

#include "synthetic.h"

#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

std::string text_of(const std::vector<Step> &steps) {
  std::string text;
  for (const Step &step : steps) {
    text += text.empty() ? "" : " ";
    text += std::string(step.depth, '-');
    text += std::to_string(step.id);
    text += step.kind == Step::kEntryOnly  ? "."
            : step.kind == Step::kFunction ? "f"
            : step.kind == Step::kLost     ? "lost"
                                           : std::string(1, sign_of(step));
    if (step.kind == Step::kExitOnly)
      text += "?";
    else if (step.has_duration())
      text += std::string("_t!uoxe").substr(step.end, step.end != Step::kReturned);
  }
  return text;
}

std::string tree(const Words &words) {
  return text_of(steps_of(words));
}

TEST(Timeline, NestsCalls) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(2, 20, 2)
                     .exit(2, 20, 3)
                     .entry(3, 20, 4)
                     .entry(4, 30, 5)
                     .exit(4, 30, 6)
                     .exit(3, 20, 7)
                     .exit(1, 10, 8)),
            "1{ -2; -3{ --4; -3} 1}");
}

// Calls 3 and 4 are on another stack, far away; later calls are not inside of any.
TEST(Timeline, TheEndOfAThreadEndsItsOpenCallsOnAllStacks) {
  auto steps = steps_of(Words()
                            .entry(1, 10, 1)
                            .entry(2, 20, 2)
                            .control(NOPHOOK_CONTROL_STACK, 0)
                            .payload(kStackBase - (1 << 30))
                            .entry(3, 10, 3)
                            .tail(4, 10, 4)
                            .control(NOPHOOK_CONTROL_END, 9)
                            .entry(5, 30, 10)
                            .exit(5, 30, 11));
  EXPECT_EQ(text_of(steps), "1{ -2{ 3;! 4;x -2}x 1}x 5;");
  EXPECT_EQ(steps.back().tsc - steps[5].tsc, 1u);
}

TEST(Timeline, ExitIsNoEndOfAThread) {
  constexpr uint64_t kExit = (uint64_t)NOPHOOK_END_PROCESS << NOPHOOK_SP_SHIFT;
  EXPECT_EQ(tree(Words().entry(1, 10, 1).entry(2, 20, 2).control(NOPHOOK_CONTROL_END, kExit | 5)),
            "1{ -2;e 1}e");
}

TEST(Timeline, ManyEndsOfNothingAreNothing) {
  Words words;
  for (int i = 0; i < 100000; i++)
    words.control(NOPHOOK_CONTROL_END, 5);
  EXPECT_EQ(tree(words.entry(1, 10, 6).exit(1, 10, 7)), "1;");
}

TEST(Timeline, TellsTimes) {
  auto steps =
      steps_of(Words().entry(1, 10, 100).entry(2, 20, 110).exit(2, 20, 140).exit(1, 10, 160));
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].tsc, kTimeBase + 110); // a leaf stands at its start
  EXPECT_EQ(steps[1].ticks, 30u);
  EXPECT_EQ(steps[2].tsc, kTimeBase + 160);
  EXPECT_EQ(steps[2].ticks, 60u);
  EXPECT_EQ(steps[2].children_ticks, 30u);
}

TEST(Timeline, Recursion) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(1, 20, 2)
                     .entry(1, 30, 3)
                     .exit(1, 30, 4)
                     .exit(1, 20, 5)
                     .exit(1, 10, 6)),
            "1{ -1{ --1; -1} 1}");
}

// 1 calls 2 calls 3, which throws; 1 catches and calls 4.
TEST(Timeline, AnExceptionEndsAllFramesBelowTheHandler) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .entry(2, 20, 2)
                     .entry(3, 30, 3)
                     .entry(4, 20, 4)
                     .exit(4, 20, 5)
                     .exit(1, 10, 6)),
            "1{ -2{ --3;! -2}! -4; 1}");
}

// The same calls, and the first event after them is the exit of 1.
TEST(Timeline, AnExitEndsAllCallsWithinItsOwn) {
  auto steps = steps_of(Words().entry(1, 10, 1).entry(2, 20, 2).entry(3, 30, 3).exit(1, 10, 50));
  EXPECT_EQ(text_of(steps), "1{ -2{ --3;! -2}! 1}");
  EXPECT_EQ(steps[2].ticks, 47u);
  EXPECT_EQ(steps[4].ticks, 49u);
  for (const Step &step : steps)
    EXPECT_LE(step.children_ticks, step.ticks);
}

// 1 tail-calls 2, which tail-calls 3, which calls 4: all return with the exit of 1.
TEST(Timeline, TailCallsReplaceEachOther) {
  EXPECT_EQ(
      tree(
          Words().entry(1, 10, 1).tail(2, 12, 2).tail(3, 12, 3).entry(4, 20, 4).exit(4, 20, 5).exit(
              1, 10, 6)),
      "1{ -2;t -3{ --4; -3}t 1}");
}

// 1 tail-calls 2, whose exception the caller of 1 catches: 3 begins where 1 was.
TEST(Timeline, ATailCallThatIsLeftHasNotEndedWithItsCaller) {
  EXPECT_EQ(
      tree(Words().entry(5, 5, 0).entry(1, 10, 1).tail(2, 12, 2).entry(3, 10, 3).exit(3, 10, 4)),
      "5{ -1{ --2;! -1}! -3;");
}

TEST(Timeline, AMillionTailCallsStayAtOneDepth) {
  Words words;
  words.entry(1, 10, 1);
  for (uint32_t i = 0; i < 1'000'000; i++)
    words.tail(2 + i % 2, 12, 2 + i);
  words.exit(1, 10, 2'000'000);
  uint32_t deepest = 0;
  for (const Step &step : steps_of(words))
    deepest = std::max(deepest, step.depth);
  EXPECT_EQ(deepest, 1u);
}

TEST(Timeline, EntryOnlyIsNoFrame) {
  EXPECT_EQ(tree(Words().entry(1, 10, 1).entry_only(2, 20, 2).entry(3, 30, 3).exit(3, 30, 4).exit(
                1, 10, 5)),
            "1{ -2. -3; 1}");
}

TEST(Timeline, EntryOnlyEndsWhatIsBelowIt) {
  EXPECT_EQ(tree(Words().entry(1, 10, 1).entry(2, 20, 2).entry(3, 30, 3).entry_only(4, 20, 4)),
            "1{ -2{ --3;! -2}! -4.");
}

TEST(Timeline, AnExitWithoutEntryHasNoDuration) {
  auto steps = steps_of(Words().exit(2, 20, 5).entry(3, 20, 6).exit(3, 20, 7).exit(1, 10, 8));
  EXPECT_EQ(text_of(steps), "2}? 3; 1}?");
  EXPECT_EQ(steps[0].ticks, 0u);
}

// The base moves while 1 is open. Its exit repeats the sp of its entry all the same.
TEST(Timeline, AnExitIsFoundAcrossMovesOfTheBase) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .control(NOPHOOK_CONTROL_STACK, 0)
                     .payload(kStackBase - 65536)
                     .entry(2, 2048, 2)
                     .exit(2, 2048, 3)
                     .exit(1, 10, 4)),
            "1{ -2; 1}");
}

// A recursion whose calls have the same sp, one base each: the innermost ends first.
TEST(Timeline, TheInnermostOfEqualCallsEnds) {
  Words words;
  for (uint64_t i = 0; i < 3; i++)
    words.control(NOPHOOK_CONTROL_STACK, 0).payload(kStackBase - i * 65536).entry(1, 2048, i);
  auto steps = steps_of(words.exit(1, 2048, 10).exit(1, 2048, 20).exit(1, 2048, 30));
  EXPECT_EQ(text_of(steps), "1{ -1{ --1; -1} 1}");
  EXPECT_EQ(steps[2].ticks, 8u);
  EXPECT_EQ(steps[4].ticks, 30u);
}

// A fiber's stack is far away: calls that begin there end no call here.
TEST(Timeline, OtherStacksAreOtherTrees) {
  EXPECT_EQ(tree(Words()
                     .entry(1, 10, 1)
                     .control(NOPHOOK_CONTROL_STACK, 0)
                     .payload(kStackBase + (uint64_t{1} << 30))
                     .entry(5, 10, 2)
                     .entry(6, 20, 3)
                     .control(NOPHOOK_CONTROL_STACK, 0)
                     .payload(kStackBase)
                     .entry(2, 20, 4)
                     .exit(2, 20, 5)
                     .exit(6, 20, 6) // by id and sp, on the other stack
                     .exit(1, 10, 7)
                     .exit(5, 10, 8)),
            "1{ 5{ -6{ -2; -6} 1} 5}");
}

// Fibers in neighbouring stacks of 64 KiB, resumed in turn by calls of main.
TEST(Timeline, NeighbouringFibersAreOtherTrees) {
  Words words;
  auto on = [&](uint64_t base) -> Words & {
    return words.control(NOPHOOK_CONTROL_STACK, 0).payload(base);
  };
  constexpr uint64_t kLow = 0x5555'0000'0000, kHigh = kLow + 65536;
  words.entry(1, 10, 1);
  on(kLow).entry(10, 10, 2).entry(11, 20, 3);
  on(kHigh).entry(20, 10, 4).entry(21, 20, 5);
  on(kLow).entry(12, 30, 6).exit(12, 30, 7).exit(11, 20, 8);
  on(kHigh).entry(22, 30, 9).exit(22, 30, 10).exit(21, 20, 11).exit(20, 10, 12);
  on(kLow).exit(10, 10, 13);
  on(kStackBase).exit(1, 10, 14);
  EXPECT_EQ(tree(words), "1{ 10{ -11{ 20{ -21{ --12; -11} --22; -21} 20} 10} 1}");
}

// Fibers that run the same function have the same signatures. The next event shows which of
// them has been resumed.
TEST(Timeline, EqualFibersAreToldApart) {
  Words words;
  auto on = [&](int fiber) -> Words & {
    return words.control(NOPHOOK_CONTROL_STACK, 0).payload(0x5555'0000'0000 + 65536u * fiber);
  };
  for (int fiber : {0, 1, 2}) // 1 calls 2, which switches away
    on(fiber).entry(1, 10, 1).entry(2, 20, 2);
  for (int fiber : {0, 1, 2}) { // 2 goes on and returns, then 1 calls 3
    words.exit(2, 20, 10);
    on(fiber).entry(3, 20, 11).exit(3, 20, 12);
  }
  EXPECT_EQ(tree(words), "1{ -2{ 1{ -2{ 1{ -2{ -2} -3; -2} -3; -2} -3;");
}

TEST(Timeline, OpenCallsEndWithTheLastEvent) {
  auto steps = steps_of(Words().entry(1, 10, 1).entry(2, 20, 2).entry(3, 30, 3).exit(3, 30, 9),
                        /*with_open=*/true);
  EXPECT_EQ(text_of(steps), "1{ -2{ --3; -2}o 1}o");
  EXPECT_EQ(steps[4].ticks, 8u);
}

TEST(Timeline, FunctionEventsAndLosses) {
  auto steps = steps_of(Words().function(3, 0x1234, 5));
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].kind, Step::kFunction);
  EXPECT_EQ(steps[0].parent, 0x1234u);
}

// A longjmp out of 100,000 frames: linear, or this takes minutes.
TEST(Timeline, LeavesAHundredThousandFramesAtOnce) {
  Words words;
  words.entry(0, 4095, 0);
  for (uint32_t i = 1; i <= 100'000; i++) {
    if (i % 2000 == 1)
      words.control(NOPHOOK_CONTROL_STACK, 0).payload(kStackBase - (i / 2000 + 1) * 32'000 - 65536);
    words.entry(i, (i - 1) % 2000, i);
  }
  words.exit(0, 4095, 200'000);
  auto steps = steps_of(words);
  EXPECT_EQ(steps.size(), 200'001u);
  EXPECT_EQ(steps.back().depth, 0u);
  EXPECT_EQ(steps.back().end, Step::kReturned);
}

} // namespace
