// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a place and the registers to the bytes of a value.

#pragma once

#include "read/symbols/prototypes.h"

#include <array>
#include <functional>

namespace nophook {

// What a thread had when it entered a function, or left it.
struct CallRegisters {
  std::array<uint64_t, 16> general = {};            // by DWARF number
  std::array<std::array<uint8_t, 64>, 32> sse = {}; // zmm0 …; what the CPU has of them
  std::array<std::array<uint8_t, 10>, 8> x87 = {};  // st(0) …
  uint64_t stack_arguments = 0;                     // address of the first one
  uint32_t known_general = ~0u, known_sse = ~0u, known_x87 = ~0u; // by number: which are
};

// Reads the traced program's memory: how many of the bytes, from the first on, could be read.
using ReadMemory = std::function<size_t(uint64_t address, void *to, size_t bytes)>;

enum class Found {
  kBytes,   // `bytes` is the value
  kNothing, // there is nothing to know: void, an empty class
  kRemoved, // the optimizer has removed it
  kUnknown, // its place is not known
  kUnreadable,
};

struct ValueBytes {
  Found found = Found::kUnknown;
  bool is_doubtful = false; // the function does not use it, so callers may not have passed it
  std::vector<uint8_t> bytes;
  std::vector<std::pair<uint64_t, uint64_t>> doubtful; // [begin, end) of bytes: the same of parts
};

// At most `limit` bytes of a value; larger ones are cut.
ValueBytes value_bytes(const PlacedValue &value, const CallRegisters &registers,
                       const ReadMemory &memory, size_t limit = 4096);

} // namespace nophook
