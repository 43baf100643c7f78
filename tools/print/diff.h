// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings of a program, before and after a change: which functions became slower.
//
// Functions are the same if module and linked name are, as files and addresses differ between
// builds. Static functions of one name in one module are added up.

#pragma once

#include "base/output.h"
#include "print/costs.h"

namespace nophook {

struct DiffSide {
  const Recording &recording;
  Functions &functions;
  const std::vector<FunctionCost> &costs;
};

// `rows` rows, 0: all. What became slower by the most self time first, what became faster last.
void print_diff(Output &output, const DiffSide &before, const DiffSide &after, uint64_t rows,
                bool json);

} // namespace nophook
