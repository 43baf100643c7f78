// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that a patch is for, found in the tree of a build.

#pragma once

#include "patch/patch_plan.h"

namespace nophook {

// The one program or library below `directory` that has the functions that differ in `units`, with
// the code that the tree gives. Fails if there is none or several, with their names.
Result<std::string> find_old_file(const std::string &directory, std::vector<UnitVersions> *units);

} // namespace nophook
