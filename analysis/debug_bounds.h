// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check that .debug_info can be read without leaving it.
//
// LLVM's reader believes the lengths of values: a length that points behind the section sends it
// there. So all values are walked once before, by the abbreviations that describe them, and no
// value is interpreted. Format: DWARF 5, 7.5.

#pragma once

#include "llvm/ADT/StringRef.h"

namespace nophook::analysis {

// True if each unit of `info` consists of whole entries whose values end within it. Units of the
// 64-bit format, which no object here has, are refused.
bool is_walkable(llvm::StringRef info, llvm::StringRef abbreviations);

} // namespace nophook::analysis
