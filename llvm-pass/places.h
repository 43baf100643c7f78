// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers and stack slots of a function's values.

#ifndef NOPHOOK_LLVM_PASS_PLACES_H
#define NOPHOOK_LLVM_PASS_PLACES_H

#include "prototypes/shapes.h"

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

namespace nophook {

using namespace prototypes;

// The places of a function's IR arguments and return value. A value without bytes has no pieces;
// one that is not understood has unknown_piece().
struct Lowering {
  llvm::SmallVector<Pieces, 8> arguments;
  Pieces result;
  // The register in which a function that returns a value in memory leaves its address; DWARF
  // number.
  std::optional<uint8_t> result_address;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PLACES_H
