// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds from debug info how the System V ABI passes a value of a source type on x86-64.
// Source: System V ABI, AMD64 supplement, 3.2.3; Itanium C++ ABI, 3.1.1 (non-trivial classes).
//
// gcc's debug info does not say whether a class is trivial for calls, which decides between its
// value and its address. A class that cannot be determined is marked as unknown, and callers assume
// the worse.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

enum class AbiClass : uint8_t {
  kNone, // padding, or no data
  kInteger,
  kSse,
  kSseUp,
  kX87,
  kX87Up,
  kComplexX87,
  kMemory,
};

struct AbiValue {
  bool is_known = false; // false: perhaps the size is known, but no more
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  bool by_reference = false; // the address of a copy is passed instead
  llvm::SmallVector<AbiClass, 8> eightbytes;

  bool is_memory() const { return !eightbytes.empty() && eightbytes[0] == AbiClass::kMemory; }
  bool has_no_data() const {
    for (AbiClass c : eightbytes)
      if (c != AbiClass::kNone)
        return false;
    return true;
  }
};

// The classes of a value. `type` may be invalid (void). Recursion through damaged debug info is
// bounded.
AbiValue classify(llvm::DWARFDie type);

} // namespace nophook::analysis
