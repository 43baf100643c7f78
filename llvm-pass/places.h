// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_PLACES_H
#define NOPHOOK_LLVM_PASS_PLACES_H

#include "nophook/prototype.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

namespace nophook {

// Bytes [at, at + bytes) of a value, and where they are (a NOPHOOK_PLACE).
struct Piece {
  uint32_t place;
  uint64_t at;
  uint64_t bytes;
};
using Pieces = llvm::SmallVector<Piece, 2>;

inline Piece unknown_piece() {
  return {NOPHOOK_PLACE(NOPHOOK_PLACE_UNKNOWN, 0, 0, 0), 0, 0};
}

// Where a function's IR arguments and return value are. A value without bytes has no pieces;
// one that is not understood has unknown_piece().
struct Lowering {
  llvm::SmallVector<Pieces, 8> arguments;
  Pieces result;
};

Lowering x86_64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PLACES_H
