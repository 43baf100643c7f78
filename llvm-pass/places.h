// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_PLACES_H
#define NOPHOOK_LLVM_PASS_PLACES_H

#include "prototypes/shapes.h"

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

namespace nophook {

// Where a function's IR arguments and return value are. A value without bytes has no pieces;
// one that is not understood has unknown_piece().
struct Lowering {
  llvm::SmallVector<Pieces, 8> arguments;
  Pieces result;
  // Where a function that returns a value in memory leaves its address; DWARF number.
  std::optional<uint8_t> result_address;
};

// For a target that Classifier::machine() has.
Lowering lowering_of(const llvm::Function &function, const llvm::TargetMachine &machine);

Lowering aarch64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine);
Lowering x86_64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PLACES_H
