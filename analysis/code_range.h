// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places where the code of a function and its description may begin.

#pragma once

#include "analysis/object.h"

namespace nophook::analysis {

struct CodePlace {
  uint32_t section;
  uint64_t offset; // offset within the section
};

struct CodeRange {
  uint32_t section;
  uint64_t start, end; // offsets within the section
};

// The offset at which the code of the function at `start` begins: there, or behind a landing pad.
inline uint64_t entry_of(const Machine &machine, Bytes code, uint64_t start) {
  return start + machine.landing_pad_bytes(code, start);
}

// The first result of find(offset) for the places where the description of the function in `range`
// may begin; the default result if there is none.
template <class Find>
auto find_at_entry(const Machine &machine, Bytes code, const CodeRange &range, Find find) {
  auto found = find(range.start);
  uint64_t at = entry_of(machine, code, range.start);
  for (uint64_t bytes = machine.describes_behind_nops; !found && bytes && at < range.end;) {
    found = find(at);
    bytes = machine.nop_bytes(code, at);
    at += bytes;
  }
  return found;
}

} // namespace nophook::analysis
