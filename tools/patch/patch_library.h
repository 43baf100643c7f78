// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library of a patch: the code that was extracted from each unit, and the tables of
// livepatch.h.

#pragma once

#include "patch/patch_plan.h"

namespace nophook {

// The C source of the tables of the patch's functions, one for each of `files`, and of the
// constructor that enables it.
std::string glue_source(const PatchPlan &plan, const std::vector<OldFile> &files,
                        const std::string &header);

// Compiles the glue below `work`, and links it with `objects` into `output`. Libraries that `files`
// need are given to the linker. Fails if a symbol is in none of them; the error has its name.
Result<> link_patch(const PatchPlan &plan, const std::vector<OldFile> &files,
                    const std::vector<std::string> &objects, const std::string &work,
                    const std::string &output);

} // namespace nophook
