// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library of a patch: what was extracted from each unit, and the tables of livepatch.h.

#pragma once

#include "patch/patch_plan.h"

namespace nophook {

// Writes the table of the patch's functions and the constructor that enables it, as C. `file` is
// the one that runs.
std::string glue_source(const PatchPlan &plan, const OldFile &file, const std::string &header);

// Compiles the glue below `work`, and links it with `objects` into `output`. Libraries that `file`
// needs are given to the linker. Fails if a symbol is in none of them, by name.
Result<> link_patch(const PatchPlan &plan, const OldFile &file,
                    const std::vector<std::string> &objects, const std::string &work,
                    const std::string &output);

} // namespace nophook
