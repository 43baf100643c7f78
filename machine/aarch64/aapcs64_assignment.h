// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The convention of C and C++ on AArch64.
// Source: Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), 6.8.2 and 6.9; C++
// ABI for the Arm 64-bit Architecture.

#pragma once

#include "analysis/assignment.h"

namespace nophook::aarch64 {

using namespace analysis;

class Aapcs64Assignment final : public Assignment {
public:
  // The places of the result. The address of a result in memory is in x8 at the entry and nowhere
  // on return.
  Pieces result(llvm::DWARFDie type) override;
  Pieces argument(llvm::DWARFDie type) override;

  uint64_t stack_bytes() const override { return (stack_ + 7) & ~uint64_t{7}; }

private:
  struct Value;
  static Value value_of(llvm::DWARFDie type);
  Pieces in_vectors(const Value &value);
  Pieces in_general(const Value &value);
  Pieces by_address(uint64_t bytes);
  Pieces on_stack(const Value &value);
  Pieces not_known(uint64_t bytes);
  uint64_t push(uint64_t bytes, uint64_t alignment);

  unsigned general_ = 0, vectors_ = 0; // numbers of the next ones of x0 to x7, v0 to v7
  uint64_t stack_ = 0;
  bool is_exact_ = true; // false: an earlier value is unknown, so later ones have no place
};

} // namespace nophook::aarch64
