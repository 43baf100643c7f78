// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CTR_EL0, the description of a CPU's caches (Arm ARM, D24.2.34), as pure functions; tested on
// every host.

#pragma once

#include <stdint.h>

namespace nophook {

// Whether stores to text must be cleaned from the data caches to the point of unification (not
// IDC), and whether the contents of the instruction caches must be invalidated (not DIC).
constexpr bool must_clean(uint64_t ctr) {
  return !(ctr >> 28 & 1);
}
constexpr bool must_invalidate(uint64_t ctr) {
  return !(ctr >> 29 & 1);
}

// Size of the smallest line of either kind, in bytes. A field is the logarithm of a number of
// words.
constexpr uint64_t data_line_bytes(uint64_t ctr) {
  return uint64_t{4} << (ctr >> 16 & 0xf);
}
constexpr uint64_t insn_line_bytes(uint64_t ctr) {
  return uint64_t{4} << (ctr & 0xf);
}

} // namespace nophook
