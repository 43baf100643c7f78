// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that a patch is for: the files that the user names, or files in the tree of a build.

#pragma once

#include "patch/unit_places.h"

namespace nophook {

// Finds the program and the libraries below `directory` whose functions differ in `units`, and have
// the code that the tree gives. Fails if there is none, or there are two of which a process can
// have only one; the error names them.
Result<std::vector<OldFile>> find_old_files(const std::string &directory,
                                            const std::vector<UnitVersions> &units);

// Opens the files that the user names. Fails if a file cannot be read, or if one patch cannot be
// for all of them.
Result<std::vector<OldFile>> open_old_files(const std::vector<std::string> &paths);

} // namespace nophook
