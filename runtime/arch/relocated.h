// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value that a dynamic relocation stores in its place, in words that are no CPU's.

#pragma once

#include <stdint.h>

namespace nophook {

// S is the symbol's address or, of a thread-local variable, its offset in its object's block. A is
// the addend. Each place has 8 bytes.
enum class Relocated : uint8_t {
  kNothing,      // no relocation that a compiler makes for an undefined symbol
  kAddress,      // S, of an entry in the global offset table: only code reads it
  kData,         // S + A, in data of the program
  kThreadModule, // the number that the dynamic linker has given to the symbol's object
  kThreadOffset, // S + A, in the block of that object
  kThreadStatic, // S + A, from the thread pointer
};

} // namespace nophook
