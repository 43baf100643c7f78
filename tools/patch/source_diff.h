// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unified diff, read for what it changes: which files, and which of their lines. patch(1) applies
// it.

#pragma once

#include "foundation/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace nophook {

struct DiffFile {
  std::string before, after;   // names as in the diff; empty: the file is not there (/dev/null)
  std::vector<unsigned> lines; // of the new version: each one that is new, and the one behind each
                               // place where some were removed; ascending
};

// Fails if `text` has no file with changes, is cut off or garbled, changes a binary file, or
// renames a file.
Result<std::vector<DiffFile>> parse_diff(std::string_view text);

// `name` without its first `count` folders, as patch -p counts them; empty: it has fewer.
std::string stripped_name(std::string_view name, unsigned count);

} // namespace nophook
