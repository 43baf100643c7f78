// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/BinaryFormat/ELF.h"

#include <cstdint>
#include <string_view>

namespace nophook {

inline constexpr uint32_t kOwnProcessor = llvm::ELF::EM_AARCH64;
inline constexpr const char *kOwnLoader = "/lib/ld-linux-aarch64.so.1";
inline constexpr std::string_view kShadowStackField = "";

inline uint64_t read_counter() {
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

} // namespace nophook
