// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU's performance counters.

#pragma once

#include "arch/arch.h"

#include <stdint.h>

namespace nophook {

// Counter `number` of this CPU, which must be one that the kernel has told the process of: of
// others it faults.
inline uint64_t read_pmc(uint32_t number) {
  return Arch::read_pmc(number);
}

} // namespace nophook
