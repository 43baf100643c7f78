// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/BinaryFormat/ELF.h"

#include <cstdint>
#include <string_view>

namespace nophook {

inline constexpr uint32_t kOwnProcessor = llvm::ELF::EM_X86_64;
inline constexpr const char *kOwnLoader = "/lib64/ld-linux-x86-64.so.2";
inline constexpr std::string_view kShadowStackField = "x86_Thread_features";

inline uint64_t read_counter() {
  return __builtin_readcyclecounter();
}

} // namespace nophook
