// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream that begins in the middle of calls: the calls that it names are open from the time that
// it names.

#include "synthetic.h"

#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

// A call in an INHERITED event; `distance` is from the frame before, in units of 16 bytes.
constexpr uint64_t call(uint64_t id, uint64_t sp, uint64_t distance) {
  return id << NOPHOOK_ID_SHIFT | sp << NOPHOOK_SP_SHIFT | distance;
}

// main (1, at 10) > serve (2, at 20) > spawn (3, at 30), and the frame of the first event is at 40.
Words forked(uint64_t since) {
  return Words()
      .control(NOPHOOK_CONTROL_INHERITED, 50)
      .payload(since)
      .payload(frame_of(40))
      .payload(call(3, 30, 10))
      .payload(call(2, 20, 10))
      .payload(call(1, 10, 10));
}

std::string text_of(const std::vector<Step> &steps) {
  std::string text;
  for (const Step &step : steps)
    text += std::string(text.empty() ? "" : " ") + (step.kind == Step::kOuterCall ? "i" : "") +
            std::to_string(step.id) + sign_of(step) + (step.end ? end_name(step.end) : "");
  return text;
}

TEST(Inherited, CallsAreOpenWhereTheStreamBegins) {
  auto steps = steps_of(
      forked(kTimeBase + 20).entry(4, 40, 60).exit(4, 40, 70).exit(3, 30, 80).exit(2, 20, 90));
  EXPECT_EQ(text_of(steps), "i1{ i2{ i3{ 4; i3} i2}");
  EXPECT_EQ(steps[2].depth, 2u);
  EXPECT_EQ(steps[3].depth, 3u);
  EXPECT_EQ(steps[0].tsc, kTimeBase + 20);
  EXPECT_EQ(steps[0].frame, frame_of(10));
  EXPECT_EQ(steps[4].ticks, 60u); // from the time that the event names
  EXPECT_EQ(steps[4].children_ticks, 10u);
}

TEST(Inherited, WithoutATimeTheyBeginWithTheEvent) {
  auto steps = steps_of(forked(0).exit(3, 30, 80));
  EXPECT_EQ(text_of(steps), "i1{ i2{ i3{ i3}");
  EXPECT_EQ(steps[3].ticks, 30u);
}

// The worker's loop has replaced spawn, which has no exit of its own any more.
TEST(Inherited, ATailCallEndsWithTheCallThatItHasReplaced) {
  auto steps = steps_of(Words()
                            .control(NOPHOOK_CONTROL_INHERITED, 50)
                            .payload(0)
                            .payload(frame_of(40))
                            .payload(call(3, 30, 10))
                            .payload(call(5, 0, 0))
                            .entry(4, 40, 60)
                            .exit(4, 40, 70)
                            .exit(3, 30, 80));
  EXPECT_EQ(text_of(steps), "i3{ i5{ 4; i5}tail i3}");
}

TEST(Inherited, ATailCallInTheChildEndsWithThem) {
  EXPECT_EQ(
      text_of(steps_of(forked(0).tail(6, 32, 60).entry(4, 40, 61).exit(4, 40, 62).exit(3, 30, 80))),
      "i1{ i2{ i3{ 6{ 4; 6}tail i3}");
}

// A flight recorder has such an event at the start of each sub-buffer.
TEST(Inherited, LaterOnesSayNothingNew) {
  Words words = Words().entry(1, 10, 1).entry(2, 20, 2);
  const Words later = forked(0);
  words.words.insert(words.words.end(), later.words.begin(), later.words.end());
  EXPECT_EQ(text_of(steps_of(words.exit(2, 20, 90).exit(1, 10, 91))), "1{ 2; 1}");
}

TEST(Inherited, DamagedOnesAreNone) {
  EXPECT_EQ(text_of(steps_of(Words().control(NOPHOOK_CONTROL_INHERITED, 50).entry(1, 10, 60))),
            "1{");
  EXPECT_EQ(text_of(steps_of(Words()
                                 .control(NOPHOOK_CONTROL_INHERITED, 50)
                                 .payload(0)
                                 .payload(frame_of(40))
                                 .payload(call(5, 0, 0))
                                 .entry(1, 10, 60))),
            "1{");
}

} // namespace
