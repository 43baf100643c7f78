// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU says of its time-stamp counter. A file of its own: a program that has another
// read_counter_words() and is linked with the archive runs as on another CPU, which is how the test
// of the clock that is taken instead comes to one.

#include "arch/clock.h"

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
