// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings of a program, before and after a change: which functions became slower.
//
// Functions are the same if module and linked name are, as files and addresses differ between
// builds. Static functions of one name in one module are added up.

#pragma once

#include "read/analyse/costs.h"

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
    int64_t p99_ns = 0; // 0 if the costs have no durations
  };
  enum Field : uint8_t { kSelf, kTotal, kP99, kHits };
  std::string name;
  Sums before, after;

  static int64_t Sums::*of(Field field) {
    constexpr int64_t Sums::*kFields[] = {&Sums::self_ns, &Sums::total_ns, &Sums::p99_ns,
                                          &Sums::hits};
    return kFields[field];
  }
  int64_t growth(Field field) const { return after.*of(field) - before.*of(field); }
};

// The changes, the one that grew most by `sorted_by` first, the one that shrank most last.
std::vector<FunctionChange> compare_costs(const DiffSide &before, const DiffSide &after,
                                          FunctionChange::Field sorted_by);

} // namespace nophook
