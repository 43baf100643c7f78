// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers and stack for the values of one function, one after the other, by a calling convention.
//
// Two questions are answered at once. Where is each value? Exactly, or not at all. And how many
// bytes of arguments are on the stack? At least as many as there are: call-through copies them, and
// a byte too few breaks the program. So an unknown value takes registers *and* stack.

#pragma once

#include "prototypes/shapes.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

using namespace prototypes;

class Assignment {
public:
  virtual ~Assignment() = default;

  // The places of the return value. They are assigned first: there may be a hidden argument.
  virtual Pieces result(llvm::DWARFDie type) = 0;
  virtual Pieces argument(llvm::DWARFDie type) = 0;

  virtual uint64_t stack_bytes() const = 0;
};

} // namespace nophook::analysis
