// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of floating-point numbers that are wider than double. The program may have run on another
// CPU, and the text must not depend on the CPU that prints it: `long double` is x87's format on
// x86-64 and has 113 bits of mantissa on AArch64.

#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace nophook {

// The shortest text that reads back as the same number, for x87's format: 10 bytes (fewer: the
// others are 0).
std::string x87_text(std::span<const uint8_t> bytes);

// The text of a number in IEEE's format of 16 bytes: that of the nearest number in x87's.
std::string quad_text(std::span<const uint8_t> bytes);

} // namespace nophook
