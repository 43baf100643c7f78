// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of a Rust function's arguments, proved by its debug info.
//
// The optimizer changes the signatures of local functions: it takes arguments away, and passes the
// value behind a pointer instead of the pointer. Debug info does not show that. But its places
// follow the values, and a place that begins at the entry is one in which the caller passed a
// value. So in optimized code only such places count, and an argument without one is unknown. Code
// that is not optimized has one place on the stack for each argument, and all signatures are those
// of the source.

#pragma once

#include "prototypes/shapes.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

using namespace prototypes;

struct RustPlaces {
  llvm::SmallVector<Pieces, 8> arguments;
  bool has_result = false; // the result is in the convention's place
};

// `assigned` are the places by the convention. `entry` is the function's first address. `is_local`:
// no other object calls it, so the optimizer may have changed it.
RustPlaces proved_places(llvm::ArrayRef<llvm::DWARFDie> parameters, llvm::ArrayRef<Pieces> assigned,
                         const Pieces &result, uint64_t entry, bool is_local);

} // namespace nophook::analysis
