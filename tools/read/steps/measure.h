// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a call's time that a reader sums up: all of it, or only on or only off the CPU. It is
// applied to a step behind all filters, so that tables, graphs and exports need not know of it.

#pragma once

#include "read/steps/step.h"

namespace nophook {

enum class Measure : uint8_t { kTime, kOnCpu, kOffCpu };

inline void apply(Measure measure, Step *step) {
  if (measure == Measure::kTime || !step->is_of_call())
    return;
  const uint64_t off = std::min(step->off_ticks, step->ticks);
  const uint64_t children_off = std::min(step->children_off_ticks, step->children_ticks);
  const bool is_off = measure == Measure::kOffCpu;
  step->ticks = is_off ? off : step->ticks - off;
  step->children_ticks = is_off ? children_off : step->children_ticks - children_off;
}

} // namespace nophook
