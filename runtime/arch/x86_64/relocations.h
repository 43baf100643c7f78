// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic relocations of x86-64 (System V ABI, AMD64 supplement, table 4.10).

#pragma once

#include "arch/relocated.h"

#include <elf.h>

namespace nophook {

struct X86_64Relocations {
  static Relocated relocated(uint32_t type) {
    switch (type) {
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
      return Relocated::kAddress;
    case R_X86_64_64:
      return Relocated::kData;
    case R_X86_64_DTPMOD64:
      return Relocated::kThreadModule;
    case R_X86_64_DTPOFF64:
      return Relocated::kThreadOffset;
    case R_X86_64_TPOFF64:
      return Relocated::kThreadStatic;
    default:
      return Relocated::kNothing;
    }
  }

  // The answer of an IFUNC's resolver at `resolver`, which takes no argument here.
  static uint64_t choose_function(uint64_t resolver) {
    return reinterpret_cast<uint64_t (*)()>(resolver)();
  }

  static int rights_by_property(uint32_t, uint32_t) { return 0; }
};

} // namespace nophook
