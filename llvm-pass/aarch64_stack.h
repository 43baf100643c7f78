// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack that the arguments of an AArch64 function take; x86_64_stack.h has the same for x86-64.

#ifndef NOPHOOK_LLVM_PASS_AARCH64_STACK_H
#define NOPHOOK_LLVM_PASS_AARCH64_STACK_H

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <optional>

namespace nophook {

// Bytes of stack arguments of an AArch64 function, at least: a multiple of 8, never less than the
// back end will use. No value: its calling convention cannot be called through.
std::optional<uint64_t> aarch64_stack_bytes(const llvm::Function &function,
                                            const llvm::TargetMachine &machine);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_AARCH64_STACK_H
