// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a prototype to the steps that keep a call's values: what its places and types ask for.

#pragma once

#include "capture/capture_plan.h"
#include "capture/prototype_table.h"

namespace nophook {

struct StepCounts {
  uint32_t entry, exit;
};

// Steps for the arguments, and for the result. What does not fit is left out.
StepCounts plan_steps(const PrototypeTable &table, const nophook_prototype *prototype,
                      CaptureStep (&entry)[kMaxCaptureSteps],
                      CaptureStep (&exit)[kMaxCaptureSteps]);

} // namespace nophook
