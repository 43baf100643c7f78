// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source languages whose values are shown.
//
// Debug info has a number for the language of each of its units. The functions of any language are
// traced, and shown with their names and types. The places of values are known only for languages
// with a row in source_language.cpp: compilers pass them in ways of their own.

#pragma once

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

enum class Convention : uint8_t {
  kUnknown,
  kC, // C's and C++'s convention on the CPU: CpuCode::assignment
  kRust,
};

struct SourceLanguage {
  uint64_t number; // DW_LANG
  Convention convention;
  // Whether it is C: `struct` and the like are in names of types, functions may have no prototype,
  // and exceptions do not pass them.
  bool is_c = false;
};

// The language of the DIE's unit. One without a row has an unknown convention.
SourceLanguage language_of(llvm::DWARFDie die);

} // namespace nophook::analysis
