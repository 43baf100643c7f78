// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as the calling convention sees them: parts in registers and room on the stack.

#ifndef NOPHOOK_LLVM_PASS_PARTS_H
#define NOPHOOK_LLVM_PASS_PARTS_H

#include "prototypes/shapes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/IR/Function.h"

namespace nophook {

using namespace prototypes;

// A type as the registers see it: `count` registers or slots of type `part`. `at`: its first byte
// in the value.
struct Parts {
  llvm::EVT type;
  llvm::MVT part;
  unsigned count;
  uint64_t at;
};

// The parts into which the target breaks an argument or a result of `function`.
llvm::SmallVector<Parts, 4> break_up(llvm::Type *type, const llvm::Function &function,
                                     const llvm::TargetLowering &lowering);

// Adds part number `i` of a value, which is in `place`.
void add_piece(Pieces &pieces, const Parts &parts, unsigned i, uint32_t place);

// The room on the stack of an argument that is passed by value in memory. Both are bytes.
struct StackRoom {
  uint64_t bytes, alignment;
};
StackRoom byval_room(const llvm::Argument &argument, const llvm::TargetLowering &lowering);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PARTS_H
