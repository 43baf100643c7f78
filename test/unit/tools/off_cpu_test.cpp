// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time off the CPU: the intervals that a thread's own readings of two clocks become, and the calls
// that they count for. A tick of these timelines is a nanosecond.

#include "synthetic.h"

#include "read/steps/marks.h"

#include <nophook/event_kinds.h>

#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

// Adds an OFF_CPU with both numbers as ULEB128 of two bytes: 128 to 16383.
Words &off(Words &words, uint64_t ticks, uint64_t cpu_ns, uint64_t dt) {
  const auto leb = [](uint64_t value) { return (value & 0x7f) | 0x80 | value >> 7 << 8; };
  return words.control(NOPHOOK_CONTROL_OFF_CPU, dt).payload(leb(ticks) | leb(cpu_ns) << 16);
}

std::vector<Step> intervals_of(const Words &words) {
  std::vector<Step> found;
  for (const Step &step : steps_of(words))
    if (step.is_off())
      found.push_back(step);
  return found;
}

TEST(OffCpu, CountsForTheInnermostCallAndAllAroundIt) {
  Words words;
  words.entry(1, 10, 100).entry(2, 20, 200);
  off(words, 4000, 1000, 5000).exit(2, 20, 5000).entry(3, 20, 5100).exit(3, 20, 5200);
  words.exit(1, 10, 6000);
  auto steps = steps_of(words);
  ASSERT_EQ(steps.size(), 6u);
  EXPECT_TRUE(steps[2].is_off());
  EXPECT_EQ(steps[2].depth, 2u);
  EXPECT_EQ(steps[2].off_ns, 3000u);
  EXPECT_EQ(steps[2].to() - steps[2].from(), 3000u);
  EXPECT_EQ(steps[3].id, 2u);
  EXPECT_EQ(steps[3].off_ticks, 3000u);
  EXPECT_EQ(steps[3].children_off_ticks, 0u);
  EXPECT_TRUE(steps[4].is_leaf());
  EXPECT_EQ(steps[4].off_ticks, 0u);
  EXPECT_EQ(steps[5].id, 1u);
  EXPECT_EQ(steps[5].off_ticks, 3000u);
  EXPECT_EQ(steps[5].children_off_ticks, 3000u);
}

TEST(OffCpu, IsNoCallAndHasAText) {
  Words words;
  words.entry(1, 10, 100);
  off(words, 4000, 1000, 5000).exit(1, 10, 6000);
  const Step step = intervals_of(words).at(0);
  EXPECT_FALSE(step.begins() || step.ends() || step.is_hit() || step.is_of_call() ||
               step.is_leaf());
  EXPECT_TRUE(step.is_mark());
  EXPECT_EQ(mark_text(read_mark(step)), "off_cpu: duration=3.000 us");
}

// The rest was stolen from the thread's virtual CPU before that event, or spent in interrupts.
TEST(OffCpu, BeginsBehindTheEventBeforeIt) {
  Words words;
  words.entry(1, 10, 4500);
  off(words, 4000, 1000, 5000).exit(1, 10, 6000);
  const Step step = intervals_of(words).at(0);
  EXPECT_EQ(step.from(), kTimeBase + 4500);
  EXPECT_EQ(step.off_ns, 500u);
  EXPECT_EQ(step.off_ticks, 500u);
}

TEST(OffCpu, KeepsWhatIsTooLittleForTheNextOne) {
  Words words;
  words.entry(1, 10, 100);
  off(words, 430, 130, 1000);
  off(words, 430, 130, 2000).exit(1, 10, 6000);
  auto found = intervals_of(words);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].tsc, kTimeBase + 2000);
  EXPECT_EQ(found[0].off_ns, 600u);
}

TEST(OffCpu, MoreCpuTimeThanTimeIsTakenFromTheNextOne) {
  Words words;
  words.entry(1, 10, 100);
  off(words, 1000, 2000, 1000);
  off(words, 3000, 1000, 5000).exit(1, 10, 6000);
  auto found = intervals_of(words);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].off_ns, 1000u);
}

TEST(OffCpu, ACutEventIsNone) {
  Words words;
  words.entry(1, 10, 100).control(NOPHOOK_CONTROL_OFF_CPU, 1000).exit(1, 10, 6000);
  EXPECT_TRUE(intervals_of(words).empty());
}

} // namespace
