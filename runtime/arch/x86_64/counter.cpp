// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU's description of its time-stamp counter. It is a separate file, so that a program linked
// with the archive can have its own read_counter_words() and run as on another CPU. The test of the
// fallback clock does that.

#include "arch/x86_64/counter.h"

#include <cpuid.h>

namespace nophook {

CounterWords read_counter_words() {
  CounterWords words = {};
  uint32_t eax, ebx, ecx;
  words.last_extended_leaf = __get_cpuid_max(0x80000000, nullptr);
  if (words.last_extended_leaf >= kPowerLeaf)
    __cpuid(kPowerLeaf, eax, ebx, ecx, words.power_edx);
  return words;
}

} // namespace nophook
