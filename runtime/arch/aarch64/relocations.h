// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic relocations of AArch64 (AAELF64, 5.7.13). Compilers reach thread-local variables by
// descriptors, which no table of data can stand for: kNothing.

#pragma once

#include "arch/relocated.h"

#include <elf.h>

namespace nophook {

struct AArch64Relocations {
  static Relocated relocated(uint32_t type) {
    switch (type) {
    case R_AARCH64_GLOB_DAT:
    case R_AARCH64_JUMP_SLOT:
      return Relocated::kAddress;
    case R_AARCH64_ABS64:
      return Relocated::kData;
    case R_AARCH64_TLS_DTPMOD:
      return Relocated::kThreadModule;
    case R_AARCH64_TLS_DTPREL:
      return Relocated::kThreadOffset;
    case R_AARCH64_TLS_TPREL:
      return Relocated::kThreadStatic;
    default:
      return Relocated::kNothing;
    }
  }
};

} // namespace nophook
