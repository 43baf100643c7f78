// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units of a build that a diff may change: those whose file it changes, and those that include
// one of its files.

#pragma once

#include "patch/patched_sources.h"
#include "patch/unit_compile.h"

namespace nophook {

// Finds the units. It asks the compiler about each unit's headers, unless the diff changes units
// only. `skipped` gets the files of the diff that look like code, but are in none of these units.
// Fails if the diff removes the file of a unit, or no unit has a file of the diff.
Result<std::vector<Unit>> find_affected(const std::vector<Unit> &units,
                                        const PatchedSources &sources,
                                        std::vector<std::string> *skipped);

} // namespace nophook
