// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts the site table of a linked file, so that the runtime finds it sorted.
//
// Linkers put entries in the order of their input; that is ascending unless a linker or a tool
// reorders the code. The sort keys are the values that the entries will have when the file is
// loaded: bytes in place, or the addends of the relocations that overwrite them. The relocations
// stay where they are, one for each entry; only values move. The table is found as the runtime
// finds it, by its note.

#pragma once

#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace nophook::recordmcount {

struct Sorted {
  uint64_t sites = 0;
  std::optional<std::vector<uint8_t>> image; // nothing: it was sorted
};

// Sorts the table of `image`, which is an executable or a shared library; without a table there is
// nothing to do. Fails if an entry is relocated in a way that is not understood. Errors are as
// `PLACE: PROBLEM`.
llvm::Expected<Sorted> sort_table(llvm::StringRef image);

} // namespace nophook::recordmcount
