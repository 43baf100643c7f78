// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of nophook patch build.

#pragma once

#include "patch/build_patch.h"
#include "patch/patch_plan.h"

namespace nophook {

// Prints the functions of the patch and why each is in it, or all refusals. Returns the exit
// status.
Result<int> report_build(const BuildRequest &request, const PatchPlan &plan,
                         const std::vector<OldFile> &files);

} // namespace nophook
