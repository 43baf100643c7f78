// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unwind tables, as far as they show where a frame begins.
//
// Only the rule for the CFA is read from .eh_frame and .debug_frame, and where AArch64 saves the
// caller's x29 and x30. LLVM's reader is not used: it trusts the tables and crashes on
// damaged ones. Format: DWARF 5, 6.4; LSB, 10.6; DWARF for the Arm 64-bit Architecture.

#pragma once

#include "object.h"

#include <map>
#include <optional>

namespace nophook {

// CFA = register + offset from `from` on; or anything else.
struct FrameRow {
  uint64_t from; // offset in the section of code
  bool is_simple;
  uint32_t cfa_register; // DWARF's number
  int64_t cfa_offset;
  // Where AArch64's x29 and x30 are saved, from the CFA on. On x86-64 these numbers are xmm12's and
  // xmm13's, which nothing asks for.
  std::optional<int64_t> x29_at, x30_at;
};
using FrameRows = std::vector<FrameRow>;

class Frames {
public:
  // What is damaged is not there.
  explicit Frames(const Object &object);

  // The rows of the code that begins at `offset`, ascending, at least one; or null.
  const FrameRows *at(uint32_t section, uint64_t offset) const;

private:
  void read(uint32_t section, bool is_eh);

  const Object &object_;
  std::map<std::pair<uint32_t, uint64_t>, FrameRows> rows_;
};

} // namespace nophook
