// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that a patch is for: those that the user names, or what the tree of a build has.

#pragma once

#include "patch/unit_places.h"

namespace nophook {

// The program and the libraries below `directory` that have functions that differ in `units`, with
// the code that the tree gives. Fails if there is none, or there are two of which a process can
// have only one, with their names.
Result<std::vector<OldFile>> find_old_files(const std::string &directory,
                                            const std::vector<UnitVersions> &units);

// Fails if a file cannot be read, or a patch cannot be for all of them.
Result<std::vector<OldFile>> open_old_files(const std::vector<std::string> &paths);

} // namespace nophook
