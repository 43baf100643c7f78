// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock of events if the user has chosen none, as a function of the CPU's identification.

#include "buffer/trace_clock.h"

#include <cpuid.h>
#include <gtest/gtest.h>

using namespace nophook;

namespace {

uint32_t clock_of(uint32_t last_leaf, uint32_t edx) {
  return default_clock(is_invariant({last_leaf, edx}));
}

TEST(Clock, IsTheCounterOnlyWhereTheCpuPromisesThatItRunsEvenly) {
  EXPECT_EQ(clock_of(0x80000007, 1 << 8), (uint32_t)NOPHOOK_CLOCK_TSC);
  EXPECT_EQ(clock_of(0x80000028, 0xffffffff), (uint32_t)NOPHOOK_CLOCK_TSC);
  EXPECT_EQ(clock_of(0x80000008, ~(1u << 8)), (uint32_t)NOPHOOK_CLOCK_MONO);
  EXPECT_EQ(clock_of(0x80000006, 1 << 8), (uint32_t)NOPHOOK_CLOCK_MONO); // no such leaf
  EXPECT_EQ(clock_of(0, 0), (uint32_t)NOPHOOK_CLOCK_MONO);               // no extended leaves
}

TEST(Clock, TheWordsAreThoseOfThisCpu) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  bool has_leaf = __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx);
  EXPECT_EQ(is_invariant(read_counter_words()), has_leaf && (edx >> 8 & 1));
}

} // namespace
