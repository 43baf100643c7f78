// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU's performance counters.

#pragma once

#include "arch/arch.h"

#include <stdint.h>

namespace nophook {

// Reads counter `number` of this CPU. It must be one that the kernel has given to the process: a
// read of any other one faults.
inline uint64_t read_pmc(uint32_t number) {
  return Arch::read_pmc(number);
}

} // namespace nophook
