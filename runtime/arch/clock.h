// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counter that events are stamped with.

#pragma once

#include <stdint.h>

namespace nophook {

#if defined(__x86_64__)
inline uint64_t read_tsc() {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

// What CPUID says of the counter (Intel SDM vol. 2 CPUID, AMD APM vol. 3 E.4).
constexpr uint32_t kPowerLeaf = 0x80000007; // advanced power management
struct CounterWords {
  uint32_t last_extended_leaf;
  uint32_t power_edx; // of kPowerLeaf, or 0
};
CounterWords read_counter_words();

// Whether the CPU promises that the counter runs at one speed in all of its states.
constexpr bool is_invariant(const CounterWords &words) {
  return words.last_extended_leaf >= kPowerLeaf && words.power_edx >> 8 & 1;
}
// In a virtual machine the hypervisor answers CPUID, which takes 10 us and more: asked once.
inline bool tsc_is_invariant() {
  enum { kUnknown, kNo, kYes };
  static int known = kUnknown;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == kUnknown) {
    answer = is_invariant(read_counter_words()) ? kYes : kNo;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == kYes;
}

// The address of the thread pointer's target: what %fs-relative offsets count from.
inline char *thread_pointer() {
  char *tp;
  __asm__("mov %%fs:0, %0" : "=r"(tp));
  return tp;
}
#else
#error "no timestamp counter is known for this architecture"
#endif

} // namespace nophook
