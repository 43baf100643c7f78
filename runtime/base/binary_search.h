// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binary search without <algorithm>, which does not compile for general registers only.

#pragma once

#include <stdint.h>

namespace nophook {

// The number of elements, of `count` sorted ones, that come before the one that is looked for: the
// index of the first that does not. `is_before(number)` is true of these and of no other.
// Async-signal-safe if `is_before` is.
template <class IsBefore> uint64_t lower_bound(uint64_t count, IsBefore is_before) {
  uint64_t low = 0, high = count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (is_before(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

} // namespace nophook
