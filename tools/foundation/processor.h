// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPUs that programs are traced on, by their numbers in ELF headers (e_machine).

#pragma once

#include <llvm/BinaryFormat/ELF.h>

#include <cstdint>
#include <string>

namespace nophook {

// The CPU that this tool runs on.
#ifdef __aarch64__
inline constexpr uint32_t kOwnProcessor = llvm::ELF::EM_AARCH64;
#else
inline constexpr uint32_t kOwnProcessor = llvm::ELF::EM_X86_64;
#endif

// The CPU from the number in buffers and recordings. Older versions have none, and are x86-64's.
constexpr uint32_t processor_of(uint64_t told) {
  return told ? (uint32_t)told : (uint32_t)llvm::ELF::EM_X86_64;
}

inline std::string processor_name(uint32_t processor) {
  switch (processor) {
  case llvm::ELF::EM_X86_64:
    return "x86-64";
  case llvm::ELF::EM_AARCH64:
    return "AArch64";
  default:
    return "ELF machine " + std::to_string(processor);
  }
}

} // namespace nophook
