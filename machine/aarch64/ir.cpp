// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm-pass/ir_cpu.h"
#include "machine/aarch64/ir_stack.h"

#include "nophook/site.h"

namespace nophook::aarch64 {
namespace {

// The attribute's value counts instructions here. The kernel needs two, the first to save the link
// register in front of a call; our sites become jumps.
llvm::StringRef site_units(const llvm::Triple &triple) {
  return triple.isOSDarwin() || triple.getEnvironment() == llvm::Triple::GNUILP32 ? "" : "1";
}

} // namespace

extern const IrCpu kIr;
const IrCpu kIr = {
    .arch = llvm::Triple::aarch64,
    .site_units = site_units,
    .lowering = aarch64_lowering,
    .stack_bytes = aarch64_stack_bytes,
    .long_double = NOPHOOK_KIND_FLOAT,
};

} // namespace nophook::aarch64
