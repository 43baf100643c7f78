// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception The way from a prototype to the steps
// that capture a call's values: a step for each value that its places and types need.

#pragma once

#include "capture/capture_plan.h"
#include "capture/prototype_table.h"

namespace nophook {

struct StepCounts {
  uint32_t entry, exit;
};

// Makes the steps for the arguments, and for the result. Steps that do not fit are left out.
StepCounts plan_steps(const PrototypeTable &table, const nophook_prototype *prototype,
                      CaptureStep (&entry)[kMaxCaptureSteps],
                      CaptureStep (&exit)[kMaxCaptureSteps]);

} // namespace nophook
