// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/diff.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace nophook {

namespace {

using Changes = std::map<std::string, FunctionChange>; // by Functions::identity_of_key

void add(const DiffSide &side, FunctionChange::Sums FunctionChange::*sums, Changes *changes) {
  std::map<std::string, DurationHistogram> durations; // sums by identity
  for (const FunctionCost &cost : side.costs) {
    const std::string identity = side.functions.identity_of_key(cost.key);
    FunctionChange &change = (*changes)[identity];
    change.name = side.functions.name_of_key(cost.key);
    (change.*sums).hits += (int64_t)cost.hits;
    (change.*sums).self_ns += (int64_t)side.recording.clock().duration(cost.self_ticks);
    (change.*sums).total_ns += (int64_t)side.recording.clock().duration(cost.total_ticks);
    if (!cost.durations)
      continue;
    DurationHistogram &all = durations[identity];
    all.merge(*cost.durations);
    (change.*sums).p99_ns = (int64_t)side.recording.clock().duration(all.quantile(0.99));
  }
}

} // namespace

std::vector<FunctionChange> compare_costs(const DiffSide &before, const DiffSide &after,
                                          FunctionChange::Field sorted_by) {
  Changes changes;
  add(before, &FunctionChange::before, &changes);
  add(after, &FunctionChange::after, &changes);
  std::vector<FunctionChange> sorted;
  for (auto &[identity, change] : changes)
    sorted.push_back(std::move(change));
  auto order = [&](const FunctionChange &change) {
    return std::tuple(-change.growth(sorted_by), -change.growth(FunctionChange::kHits),
                      std::string_view(change.name));
  };
  std::ranges::sort(sorted, {}, order);
  return sorted;
}

} // namespace nophook
