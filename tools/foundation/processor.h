// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPUs that programs are traced on, by their numbers in ELF headers (e_machine).

#pragma once

#include "machine/own_cpu.h"

#include <cstdint>
#include <string>

namespace nophook {

// The CPU from the number in buffers and recordings. Older versions have none, and are x86-64's.
constexpr uint32_t processor_of(uint64_t told) {
  constexpr uint32_t kOfOlderVersions = 62;
  return told ? (uint32_t)told : kOfOlderVersions;
}

std::string processor_name(uint32_t processor);

} // namespace nophook
