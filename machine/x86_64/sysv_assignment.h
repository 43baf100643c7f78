// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The convention of C and C++ on x86-64 (analysis/sysv_classes.h has the classes of values).

#pragma once

#include "analysis/sysv_classes.h"

#include "analysis/assignment.h"

namespace nophook::x86_64 {

using namespace analysis;

class SysVAssignment final : public Assignment {
public:
  Pieces result(const AbiValue &value);
  Pieces result(llvm::DWARFDie type) override { return result(classify(type)); }
  Pieces argument(const AbiValue &value);
  Pieces argument(llvm::DWARFDie type) override { return argument(classify(type)); }

  uint64_t stack_bytes() const override { return (stack_ + 7) & ~uint64_t{7}; }

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

} // namespace nophook::x86_64
