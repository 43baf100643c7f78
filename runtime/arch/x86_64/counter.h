// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPUID's description of the time-stamp counter (Intel SDM vol. 2 CPUID, AMD APM vol. 3 E.4).

#pragma once

#include <stdint.h>

namespace nophook {

constexpr uint32_t kPowerLeaf = 0x80000007; // advanced power management
struct CounterWords {
  uint32_t last_extended_leaf;
  uint32_t power_edx; // edx of kPowerLeaf, or 0
};
CounterWords read_counter_words();

// Whether the CPU promises that the counter runs at one speed in all of its states.
constexpr bool is_invariant(const CounterWords &words) {
  return words.last_extended_leaf >= kPowerLeaf && words.power_edx >> 8 & 1;
}

} // namespace nophook
