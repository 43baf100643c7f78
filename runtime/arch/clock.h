// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counter that events are stamped with.

#pragma once

#include "arch/arch.h"

#include <stdint.h>

namespace nophook {

inline uint64_t read_tsc() {
  return Arch::read_counter();
}

// Whether the CPU promises that the counter runs at one speed in all of its states. In a virtual
// machine the hypervisor answers CPUID, which takes 10 us and more: asked once.
inline bool tsc_is_invariant() {
  enum { kUnknown, kNo, kYes };
  static int known = kUnknown;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == kUnknown) {
    answer = Arch::is_counter_steady() ? kYes : kNo;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == kYes;
}

// The address from which offsets of thread-local storage count.
inline char *thread_pointer() {
  return static_cast<char *>(__builtin_thread_pointer());
}

} // namespace nophook
