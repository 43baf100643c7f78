// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unwind tables, as far as they show the place of each frame.
//
// Only the rule for the CFA is read from .eh_frame and .debug_frame, and where the caller's frame
// and the return address are saved, if both come in registers. LLVM's reader is not used: it trusts
// the tables and crashes on damaged ones. Format: DWARF 5, 6.4; LSB, 10.6; DWARF for the Arm 64-bit
// Architecture.

#pragma once

#include "analysis/object.h"

#include <map>
#include <optional>

namespace nophook::analysis {

// A rule: the CFA is a register + an offset from `from` on; or it is something else.
struct FrameRow {
  uint64_t from; // offset in the section of code
  bool is_simple;
  uint32_t cfa_register; // DWARF's number
  int64_t cfa_offset;
  // Places of Machine::saved_frame and saved_link in memory, from the CFA.
  std::optional<int64_t> frame_at, link_at;
};
using FrameRows = std::vector<FrameRow>;

class Frames {
public:
  // Reads the tables. Damaged parts are left out.
  explicit Frames(const Object &object);

  // The rows of the code that begins at `offset`, ascending, at least one; or null.
  const FrameRows *at(uint32_t section, uint64_t offset) const;

private:
  void read(uint32_t section, bool is_eh);

  const Object &object_;
  std::map<std::pair<uint32_t, uint64_t>, FrameRows> rows_;
};

} // namespace nophook::analysis
