// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps about a thread that are not among its own events, because others saw them: instants and
// intervals. A Timeline merges them by time with the events of its thread, so that no reader needs
// to know where a step comes from.

#pragma once

#include "read/steps/step.h"

namespace nophook {

class StepSource {
public:
  virtual ~StepSource() = default;

  // The next step, by ascending Step::tsc; false at the end. The timeline puts it on the stack that
  // runs at that time. Its values must live as long as the source.
  virtual bool next(Step *step) = 0;
};

} // namespace nophook
