// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decoder: every kind of word, and words that no writer should have written.

#include "synthetic.h"

#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

std::vector<Event> decode(const Words &words, Skipped *skipped = nullptr,
                          nophook_subbuf header = subbuf_header()) {
  Decoder decoder;
  decoder.begin(header, words.words);
  std::vector<Event> events;
  for (Event event; decoder.next(&event);)
    events.push_back(event);
  if (skipped)
    *skipped = decoder.skipped();
  return events;
}

TEST(Decoder, TellsEveryField) {
  auto events = decode(Words().entry(7, 5, 30).exit(7, 5, 40).tail(8, 9, 50).entry_only(
      (1u << NOPHOOK_ID_BITS) - 1, (1u << NOPHOOK_SP_BITS) - 1, (1u << NOPHOOK_DT_BITS) - 1));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].kind, NOPHOOK_EVENT_ENTRY);
  EXPECT_EQ(events[0].id, 7u);
  EXPECT_EQ(events[0].tsc, kTimeBase + 30);
  EXPECT_EQ(events[0].frame, kStackBase - 5 * 16);
  EXPECT_EQ(events[1].kind, NOPHOOK_EVENT_EXIT);
  EXPECT_EQ(events[1].sp, 5);
  EXPECT_EQ(events[2].kind, NOPHOOK_EVENT_TAIL);
  EXPECT_EQ(events[3].kind, NOPHOOK_EVENT_ENTRY_ONLY);
  EXPECT_EQ(events[3].id, 0x3fffffu);
  EXPECT_EQ(events[3].frame, kStackBase - 4095 * 16);
  EXPECT_EQ(events[3].tsc, kTimeBase + 0x7ffffff);
}

TEST(Decoder, FunctionEventHasItsParent) {
  auto events = decode(Words().function(3, 0x401234, 10));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, NOPHOOK_EVENT_FUNCTION);
  EXPECT_EQ(events[0].parent, 0x401234u);
}

TEST(Decoder, ACountedSkipPassesOverAKindOfALaterVersion) {
  Skipped skipped;
  auto events =
      decode(Words().entry(1, 1, 1).control(99, 7).payload(1).payload(2).exit(1, 1, 2), &skipped);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].kind, NOPHOOK_EVENT_EXIT);
  EXPECT_EQ(skipped.newer, 1u);
  EXPECT_EQ(skipped.damaged, 0u);
}

TEST(Decoder, AFiberHasItsStack) {
  constexpr uint64_t kLebOf128And16 = 0x100180;
  const Words words = Words().control(NOPHOOK_CONTROL_FIBER, 7).payload(kLebOf128And16);
  auto events = decode(words);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, kEventFiber);
  EXPECT_EQ(events[0].tsc, kTimeBase + 7);
  const FiberStack stack = read_fiber(events[0]);
  EXPECT_EQ(stack.low, 128u);
  EXPECT_EQ(stack.high, 144u);
}

TEST(Decoder, ControlsMoveTheBases) {
  auto events = decode(Words()
                           .entry(1, 1, 1)
                           .control(NOPHOOK_CONTROL_CPU, 17)
                           .control(NOPHOOK_CONTROL_TIME, 0)
                           .payload(kTimeBase + 5'000'000'000)
                           .control(NOPHOOK_CONTROL_STACK, 0)
                           .payload(0x1000'0000)
                           .control(NOPHOOK_CONTROL_PAD, 0)
                           .entry(2, 2, 2));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].cpu, 0u);
  EXPECT_EQ(events[1].cpu, 17u);
  EXPECT_EQ(events[1].tsc, kTimeBase + 5'000'000'002);
  EXPECT_EQ(events[1].frame, 0x1000'0000u - 32);
}

TEST(Decoder, EachSubbufferStartsFromItsOwnHeader) {
  Decoder decoder;
  Words moved = Words().control(NOPHOOK_CONTROL_CPU, 3).entry(1, 1, 1);
  decoder.begin(subbuf_header(), moved.words);
  Event event;
  while (decoder.next(&event))
    ;
  nophook_subbuf header = subbuf_header(100, 1);
  header.time_base = kTimeBase + 100;
  header.cpu = 9;
  Words second = Words().entry(2, 1, 1);
  decoder.begin(header, second.words);
  ASSERT_TRUE(decoder.next(&event));
  EXPECT_EQ(event.cpu, 9u);
  EXPECT_EQ(event.tsc, kTimeBase + 101);
}

TEST(Decoder, LostEventsAreToldOnce) {
  Decoder decoder;
  Words words = Words().entry(1, 1, 1);
  decoder.begin(subbuf_header(100, 0, 12), words.words);
  Event event;
  ASSERT_TRUE(decoder.next(&event));
  EXPECT_EQ(event.kind, kEventLost);
  EXPECT_EQ(event.parent, 12u);
  ASSERT_TRUE(decoder.next(&event));
  EXPECT_EQ(event.kind, NOPHOOK_EVENT_ENTRY);
  decoder.begin(subbuf_header(100, 1, 12), words.words);
  ASSERT_TRUE(decoder.next(&event));
  EXPECT_EQ(event.kind, NOPHOOK_EVENT_ENTRY);
}

TEST(Decoder, HolesArePassedOver) {
  Skipped skipped;
  auto events = decode(Words().entry(1, 1, 1).hole().exit(1, 1, 2).hole().payload(5), &skipped);
  EXPECT_EQ(events.size(), 2u);
  EXPECT_EQ(skipped.damaged, 0u); // the payload belongs to the hole
}

TEST(Decoder, TornEventsAreCounted) {
  Skipped skipped;
  auto events = decode(Words()
                           .payload(1)                             // no event
                           .event(NOPHOOK_EVENT_FUNCTION, 1, 0, 1) // no payload
                           .entry(2, 2, 2)
                           .control(99, 0)                          // unknown
                           .event(NOPHOOK_EVENT_FUNCTION, 1, 0, 3), // cut
                       &skipped);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, 2u);
  EXPECT_EQ(skipped.damaged + skipped.newer, 4u);
}

TEST(Decoder, TimeNeverRunsBackwards) {
  auto events =
      decode(Words().entry(1, 1, 1000).control(NOPHOOK_CONTROL_TIME, 0).payload(5).exit(1, 1, 1));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].tsc, events[0].tsc);
}

// The decoder reads nothing outside of the words, whatever bytes they have (the address sanitizer
// checks it), and it ends.
TEST(Decoder, EndsOnAnyBytes) {
  uint64_t state = 88172645463325252u;
  for (int round = 0; round < 2000; round++) {
    Words words;
    for (int i = 0; i < 64; i++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      words.words.push_back(state);
    }
    EXPECT_LE(decode(words).size(), 64u);
    EXPECT_LE(steps_of(words, true).size(), 3 * 64u);
  }
}

} // namespace
