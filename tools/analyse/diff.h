// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings of a program, before and after a change: which functions became slower.
//
// Functions are the same if module and linked name are, as files and addresses differ between
// builds. Static functions of one name in one module are added up.

#pragma once

#include "analyse/costs.h"

namespace nophook {

struct DiffSide {
  const Recording &recording;
  Functions &functions;
  const std::vector<FunctionCost> &costs;
};

// A function in both recordings.
struct FunctionChange {
  struct Sums {
    int64_t hits = 0, self_ns = 0, total_ns = 0;
  };
  std::string name;
  Sums before, after;

  int64_t slower() const { return after.self_ns - before.self_ns; }
  int64_t oftener() const { return after.hits - before.hits; }
};

// What became slower by the most self time first, what became faster last.
std::vector<FunctionChange> compare_costs(const DiffSide &before, const DiffSide &after);

} // namespace nophook
