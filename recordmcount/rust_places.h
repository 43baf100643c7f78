// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of a Rust function's arguments, proved by its debug info.
//
// The optimizer changes the signatures of local functions: it takes arguments away, and passes what
// is behind a pointer instead of the pointer. Debug info does not say so. But its places follow the
// values, and a place that begins at the entry is what the caller passed. So in optimized code only
// that counts, and an argument without such a place is unknown. Code that is not optimized has one
// place on the stack for each argument, and all signatures are those of the source.

#pragma once

#include "prototypes/shapes.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook {

struct RustPlaces {
  llvm::SmallVector<Pieces, 8> arguments;
  bool has_result = false; // it is where the convention has it
};

// `assigned`: by the convention. `entry`: where the function begins. `is_local`: no other object
// calls it, so that the optimizer may have changed it.
RustPlaces proved_places(llvm::ArrayRef<llvm::DWARFDie> parameters, llvm::ArrayRef<Pieces> assigned,
                         const Pieces &result, uint64_t entry, bool is_local);

} // namespace nophook
