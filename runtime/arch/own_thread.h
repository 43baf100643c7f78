// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that only one thread writes, its signal handlers included. A change must be atomic against
// these handlers, but not against other CPUs, which would cost five times as much.

#pragma once

#include "arch/arch.h"

#include <stdint.h>

namespace nophook {

// Stores `wanted` to `*at` if it is `expected`.
inline bool exchange_own(uint64_t *at, uint64_t expected, uint64_t wanted) {
  return Arch::exchange_own(at, expected, wanted);
}

// Adds to `*at`; returns the carry.
inline bool add_own(uint64_t *at, uint64_t number) {
  return Arch::add_own(at, number);
}

} // namespace nophook
