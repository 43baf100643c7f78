// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_MACHINE_X86_64_IR_STACK_H
#define NOPHOOK_MACHINE_X86_64_IR_STACK_H

#include "llvm-pass/places.h"

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <optional>

namespace nophook {

// Whether it is C's own convention, or one that passes arguments in the same registers.
bool is_like_c(llvm::CallingConv::ID convention);

// Bytes of stack arguments above the return address when `function` is entered: never less than the
// back end will use, a multiple of 8. No value for a calling convention that function_graph's frame
// cannot honour.
std::optional<uint64_t> x86_64_stack_bytes(const llvm::Function &function,
                                           const llvm::TargetMachine &machine);

Lowering x86_64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace nophook

#endif // NOPHOOK_MACHINE_X86_64_IR_STACK_H
