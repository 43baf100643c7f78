// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic relocations of AArch64 (AAELF64, 5.7.13). Compilers reach thread-local variables by
// descriptors, which no table of data can stand for: kNothing.

#pragma once

#include "arch/relocated.h"

#include <elf.h>
#include <sys/auxv.h>

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

  // The answer of an IFUNC's resolver at `resolver` (the ABI's "GNU indirect functions" of
  // AArch64).
  static uint64_t choose_function(uint64_t resolver) {
    constexpr uint64_t kHasArgument = uint64_t{1} << 62; // _IFUNC_ARG_HWCAP
    const struct {
      uint64_t bytes, hwcap, hwcap2;
    } argument = {sizeof argument, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    return reinterpret_cast<uint64_t (*)(uint64_t, const void *)>(resolver)(
        argument.hwcap | kHasArgument, &argument);
  }

  // The right PROT_BTI, which the kernel gives to a static program and the dynamic linker to all
  // other objects, if the CPU has landing pads (Linux, Documentation/arch/arm64/elf_hwcaps.rst).
  static int rights_by_property(uint32_t type, uint32_t value) {
    constexpr uint32_t kFeatures = 0xc0000000, kBti = 1; // GNU_PROPERTY_AARCH64_FEATURE_1_AND
    constexpr unsigned long kCpuHasBti = 1 << 17;        // HWCAP2_BTI
    constexpr int kProtBti = 0x10;
    bool is_kept = type == kFeatures && value & kBti && getauxval(AT_HWCAP2) & kCpuHasBti;
    return is_kept ? kProtBti : 0;
  }
};

} // namespace nophook
