// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_MACHINE_AARCH64_IR_STACK_H
#define NOPHOOK_MACHINE_AARCH64_IR_STACK_H

#include "llvm-pass/places.h"

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <optional>

namespace nophook {

// Bytes of stack arguments of an AArch64 function, at least: a multiple of 8, never less than the
// back end will use. No value: its calling convention cannot be called through.
std::optional<uint64_t> aarch64_stack_bytes(const llvm::Function &function,
                                            const llvm::TargetMachine &machine);

Lowering aarch64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace nophook

#endif // NOPHOOK_MACHINE_AARCH64_IR_STACK_H
