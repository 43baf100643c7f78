// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both versions of each unit, compiled.

#pragma once

#include "patch/patch_plan.h"
#include "patch/patched_sources.h"

namespace nophook {

// Compiles each unit from the tree and from the overlay, below `work`, several at a time. Fails
// with the compiler's output if one cannot be compiled.
Result<std::vector<UnitVersions>> compile_versions(const std::vector<Unit> &units,
                                                   const PatchedSources &sources,
                                                   const std::string &work);

// Compiles the same units with the items that the patch takes only: one object for each unit of
// `plan`.
Result<std::vector<std::string>>
extract_objects(const PatchPlan &plan, const PatchedSources &sources, const std::string &work);

} // namespace nophook
