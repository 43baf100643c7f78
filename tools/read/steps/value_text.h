// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value as a person writes it: 42, -1.5, 'x', "text", kRed, {x=1, y=2}, [1, 2], 0x7ffe10.

#pragma once

#include "read/symbols/value_bytes.h"

namespace nophook {

struct ValueLimits {
  size_t text = 64;     // the most characters of a string
  size_t elements = 64; // the most elements of an array or a vector
  size_t length = 4096; // about the most characters of the whole
  bool hex = false;     // whether a number, character or enumerator is shown as its bits
};

// The texts of missing values.
inline constexpr const char *kOptimizedOut = "<optimized out>", *kUnknownPlace = "<unknown place>",
                            *kUnreadable = "<unreadable>";
inline bool is_missing(std::string_view text) {
  return text == kOptimizedOut || text == kUnknownPlace || text == kUnreadable;
}

std::string value_text(const PlacedValue &value, const CallRegisters &registers,
                       const ReadMemory &memory, const ValueLimits &limits = {});

} // namespace nophook
