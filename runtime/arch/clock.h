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

// Whether the CPU promises that the counter runs at one speed in all of its states.
inline bool tsc_is_invariant() {
  uint32_t eax = 0x80000000, ebx, ecx = 0, edx;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  if (eax < 0x80000007)
    return false;
  eax = 0x80000007, ecx = 0;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return edx >> 8 & 1;
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
