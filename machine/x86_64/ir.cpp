// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm-pass/ir_cpu.h"
#include "machine/x86_64/ir_stack.h"

#include "nophook/site.h"

namespace nophook::x86_64 {
namespace {

// The attribute's value counts bytes here: the back end joins them into one instruction.
llvm::StringRef site_units(const llvm::Triple &triple) {
  static_assert(NOPHOOK_SITE_BYTES == 5);
  return triple.isX32() ? "" : "5";
}

} // namespace

extern const IrCpu kIr;
const IrCpu kIr = {
    .arch = llvm::Triple::x86_64,
    .site_units = site_units,
    .lowering = x86_64_lowering,
    .stack_bytes = x86_64_stack_bytes,
    .long_double = NOPHOOK_KIND_X87,
};

} // namespace nophook::x86_64
