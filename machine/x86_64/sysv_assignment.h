// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers and stack for the arguments of a function, one after the other.
//
// Two questions are answered at once. Where is each value? Exactly, or not at all. And how many
// bytes of arguments are on the stack? At least as many as there are: call-through copies them, and
// a byte too few breaks the program. So an unknown value takes registers *and* stack.

#pragma once

#include "analysis/sysv_classes.h"

#include "prototypes/shapes.h"

namespace nophook {

class SysVAssignment {
public:
  static constexpr unsigned kFirstVector = 17; // DWARF's number of xmm0

  // The places of the return value. They are assigned first: there may be a hidden argument.
  Pieces result(const AbiValue &value);
  Pieces result(llvm::DWARFDie type) { return result(classify(type)); }
  Pieces argument(const AbiValue &value);
  Pieces argument(llvm::DWARFDie type) { return argument(classify(type)); }

  uint64_t stack_bytes() const { return (stack_ + 7) & ~uint64_t{7}; }

private:
  Pieces in_registers(const AbiValue &value);
  Pieces on_stack(const AbiValue &value);
  Pieces by_address(const AbiValue &value);
  Pieces not_known(const AbiValue &value);
  uint64_t push(uint64_t bytes, uint64_t alignment);
  Pieces pieces_if_known(Pieces pieces) const;

  unsigned general_ = 0, sse_ = 0;
  uint64_t stack_ = 0;
  bool is_exact_ = true; // false: an earlier value is unknown, so later ones have no place
};

} // namespace nophook
