// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tracer follows the calls through a file's slots (read/symbols/imports.h), as the runtime
// decides it (nophook/library_calls.h, nophook/got_uses.h).

#pragma once

#include "read/symbols/imports.h"
#include "read/symbols/prototypes.h"

namespace nophook {

struct LibraryCall {
  enum How : uint8_t { kThrough, kCopy, kEntryOnly, kJumpedTo, kNotTraced };
  How how = kNotTraced;
  uint32_t stack_bytes = 0; // bytes of stack arguments, for kCopy
  std::string reason;       // reason, for the last three
};

// The answer for each of `imports.functions`.
std::vector<LibraryCall> library_calls(const ElfImage &image, const DescriptorTables &descriptors,
                                       const Imports &imports);

// A text such as "call-through", "call-through, copies 16 bytes", "entry only: variadic", "jumped
// to: returns twice", "not traced: address taken"
std::string how_text(const LibraryCall &call);

} // namespace nophook
