// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers and stack for the arguments of a Rust function, one after the other.
//
// Rust's own convention is not C's. The compiler looks at how a type is laid out: a number or a
// pointer, however many structures are around it, is passed as such; so are two of them, each as an
// argument of its own (a slice, `Option<u32>`). Everything else is passed by address, if it has
// more than 8 bytes, or as an integer. The convention may change with each version of the compiler,
// which debug info names: 1.95 and 1.96 have been tried. So the places of optimized code are those
// of its debug info (rust_places.h). An argument that is not understood has no place.
//
// Source: compiler/rustc_abi/src/layout.rs (univariant, layout_of_enum) and
// compiler/rustc_ty_utils/src/abi.rs (fn_abi_adjust_for_abi).

#pragma once

#include "analysis/cpu_code.h"

namespace nophook::analysis {

struct RustScalar {
  uint64_t at = 0, bytes = 0;
  bool is_float = false;
};

// The compiler's view of a type.
struct RustLayout {
  enum Kind { kNothing, kScalar, kPair, kMemory, kUnknown } kind = kUnknown;
  uint64_t bytes = 0;
  RustScalar scalars[2]; // for kScalar the first, for kPair both
};
RustLayout rust_layout(llvm::DWARFDie type, unsigned depth = 0);

class RustAssignment final : public Assignment {
public:
  explicit RustAssignment(const RustConvention &convention) : convention_(convention) {}

  Pieces result(llvm::DWARFDie type) override;
  Pieces argument(llvm::DWARFDie type) override;

  // A lower bound: a function with #[track_caller] has one more, hidden argument.
  uint64_t stack_bytes() const override;

private:
  Piece scalar(const RustScalar &scalar);
  Pieces by_address(uint64_t bytes);
  uint32_t general(); // the next register, or place on the stack
  unsigned generals() const { return unsigned(convention_.arguments.size()); }

  const RustConvention &convention_;
  unsigned general_ = 0, vectors_ = 0;
  uint64_t stack_ = 0;
  bool is_exact_ = true; // false: an earlier value is unknown, so later ones have no place
};

} // namespace nophook::analysis
