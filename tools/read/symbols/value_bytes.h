// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a place and the registers to the bytes of a value.

#pragma once

#include "read/symbols/prototypes.h"

#include <array>
#include <functional>

namespace nophook {

// The registers of a thread when it entered a function, or left it.
struct CallRegisters {
  std::array<uint64_t, 16> general = {}; // general registers, by DWARF number
  // Vector registers zmm0 …, as far as the CPU has them.
  std::array<std::array<uint8_t, 64>, 32> sse = {};
  std::array<std::array<uint8_t, 10>, 8> x87 = {}; // x87 registers st(0) …
  uint64_t stack_arguments = 0;                    // address of the first stack argument
  // Sets of the registers whose values are known, by number.
  uint32_t known_general = ~0u, known_sse = ~0u, known_x87 = ~0u;
};

// Reads the traced program's memory. Returns the number of bytes, from the first on, that could be
// read.
using ReadMemory = std::function<size_t(uint64_t address, void *to, size_t bytes)>;

enum class Found {
  kBytes,   // `bytes` is the value
  kNothing, // it has no bytes: void, an empty class
  kRemoved, // the optimizer has removed it
  kUnknown, // its place is not known
  kUnreadable,
};

struct ValueBytes {
  Found found = Found::kUnknown;
  // Whether the function does not use the value, so that callers may not have passed it.
  bool is_doubtful = false;
  std::vector<uint8_t> bytes;
  // [begin, end) of bytes for which the same is true.
  std::vector<std::pair<uint64_t, uint64_t>> doubtful;
};

// Fetches at most `limit` bytes of a value; larger ones are cut.
ValueBytes value_bytes(const PlacedValue &value, const CallRegisters &registers,
                       const ReadMemory &memory, size_t limit = 4096);

} // namespace nophook
