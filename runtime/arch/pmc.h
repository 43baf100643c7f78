// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU's performance counters.

#pragma once

#include <stdint.h>

namespace nophook {

// Counter `number` of this CPU, which must be one that the kernel has told the process of: of
// others it faults.
inline uint64_t read_pmc(uint32_t number) {
#if defined(__x86_64__)
  uint32_t low, high;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
  return (uint64_t)high << 32 | low;
#else
#error "no performance counters are known for this architecture"
#endif
}

} // namespace nophook
