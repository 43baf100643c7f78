// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that only one thread writes, its signal handlers included: what is atomic against them
// need not be against other CPUs, which costs five times as much.

#pragma once

#include <stdint.h>

namespace nophook {

// If `*at` is `expected`, makes it `wanted`.
inline bool exchange_own(uint64_t *at, uint64_t expected, uint64_t wanted) {
#if defined(__x86_64__)
  bool done;
  __asm__ volatile("cmpxchg %3, %0"
                   : "+m"(*at), "=@ccz"(done), "+a"(expected)
                   : "r"(wanted)
                   : "memory");
  return done;
#else
  return __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
#endif
}

// Adds 1 to `*at`.
inline void count_own(uint64_t *at) {
#if defined(__x86_64__)
  __asm__ volatile("incq %0" : "+m"(*at));
#else
  __atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
#endif
}

} // namespace nophook
