// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of a function that has no debug info.

#ifndef NOPHOOK_LLVM_PASS_IR_TYPES_H
#define NOPHOOK_LLVM_PASS_IR_TYPES_H

#include "prototypes/shapes.h"

#include "llvm/IR/Type.h"

namespace nophook {

using namespace prototypes;

// Describes a type as far as the IR type and its extension show it. The IR has sizes, and signs
// only where a value was extended.
Described describe_ir(RecordTable &table, const llvm::Type *type, uint64_t bytes, bool is_signed,
                      bool is_unsigned);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_IR_TYPES_H
