// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parser of unified diffs, which finds the changed files and their changed lines. patch(1)
// applies a diff.

#pragma once

#include "foundation/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace nophook {

struct DiffFile {
  std::string before, after;   // names as in the diff; empty: no such file (/dev/null)
  std::vector<unsigned> lines; // numbers of lines in the new version: each new line, and the line
                               // behind each place where lines were removed; ascending
};

// Reads a diff. Fails if `text` has no file with changes, is cut off or garbled, changes a binary
// file, or renames a file.
Result<std::vector<DiffFile>> parse_diff(std::string_view text);

// `name` without its first `count` folders, as patch -p counts them; empty: it has fewer.
std::string stripped_name(std::string_view name, unsigned count);

} // namespace nophook
