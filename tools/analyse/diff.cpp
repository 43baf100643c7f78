// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analyse/diff.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace nophook {

namespace {

using Changes = std::map<std::string, FunctionChange>; // by Functions::identity_of_key

void add(const DiffSide &side, FunctionChange::Sums FunctionChange::*sums, Changes *changes) {
  for (const FunctionCost &cost : side.costs) {
    FunctionChange &change = (*changes)[side.functions.identity_of_key(cost.key)];
    change.name = side.functions.name_of_key(cost.key);
    (change.*sums).hits += (int64_t)cost.hits;
    (change.*sums).self_ns += (int64_t)side.recording.clock().duration(cost.self_ticks);
    (change.*sums).total_ns += (int64_t)side.recording.clock().duration(cost.total_ticks);
  }
}

} // namespace

std::vector<FunctionChange> compare_costs(const DiffSide &before, const DiffSide &after) {
  Changes changes;
  add(before, &FunctionChange::before, &changes);
  add(after, &FunctionChange::after, &changes);
  std::vector<FunctionChange> sorted;
  for (auto &[identity, change] : changes)
    sorted.push_back(std::move(change));
  std::ranges::sort(sorted, [](const FunctionChange &a, const FunctionChange &b) {
    return std::make_tuple(b.slower(), b.oftener(), a.name) <
           std::make_tuple(a.slower(), a.oftener(), b.name);
  });
  return sorted;
}

} // namespace nophook
