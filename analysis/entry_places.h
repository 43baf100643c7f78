// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place that a parameter has at the entry of its function, by debug info.
//
// An optimizer changes the signature of a local function: gcc's helper.isra.0 and
// helper.constprop.0 lack arguments that their source has, and pass others in other registers. The
// calling convention then says nothing about them. But places in debug info follow the values, and
// a place that begins at the entry is what the caller passed. A place that begins later proves
// nothing.

#pragma once

#include "prototypes/shapes.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

using namespace prototypes;

struct EntryPlace {
  bool is_frame = false;        // a place on the stack for all of the function
  bool is_absent = false;       // no place, or a constant: nothing is passed
  std::optional<Pieces> first;  // the first place, wherever it begins
  std::optional<Pieces> pieces; // the place at the entry
};

// The places of `parameter`, whose value has `bytes` bytes, in the code at `entry`. `first_vector`
// is DWARF's number of the CPU's first vector register.
EntryPlace place_at_entry(llvm::DWARFDie parameter, uint64_t bytes, uint64_t entry,
                          unsigned first_vector);

bool is_same(const Pieces &a, const Pieces &b);

} // namespace nophook::analysis
