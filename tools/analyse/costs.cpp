// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analyse/costs.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace nophook {

namespace {

// The costs of one process by function id, and what is open in the thread being read.
class Ledger {
public:
  struct Row {
    FunctionCost cost;
    uint64_t open = 0; // calls, on the thread's first stack
  };

  void add(const Step &step, const StepFilter::Verdict &verdict) {
    if (step.kind == Step::kLost || step.kind == Step::kMark || !verdict.selected)
      return;
    Row &row = row_of(step.id);
    if (step.kind != Step::kClose || step.alone)
      row.cost.hits += verdict.hit;
    if (step.kind == Step::kEntryOnly || step.kind == Step::kFunction || !step.has_start)
      return;
    uint64_t &open = step.stack ? others_[(uint64_t)step.stack << 32 | step.id] : row.open;
    if (step.kind == Step::kOpen) {
      open++;
      return;
    }
    if (step.kind == Step::kClose && !step.timed)
      open--;
    if (verdict.counts)
      add_time(row, step, open == 0);
  }

  // Calls visit(id, cost) for each function that was called, by rising ids.
  template <class Visit> void each(Visit visit) const {
    for (uint32_t page = 0; page < pages_.size(); page++)
      for (uint32_t i = 0; pages_[page] && i < kPageRows; i++)
        if (const FunctionCost &cost = (*pages_[page])[i].cost; cost.hits || cost.total_ticks)
          visit(page * kPageRows + i, cost);
  }

private:
  // Few functions of a large program run, and a damaged recording names any id there can be.
  static constexpr uint32_t kPageRows = 256;
  using Page = std::array<Row, kPageRows>;

  Row &row_of(uint32_t id) {
    if (id / kPageRows >= pages_.size())
      pages_.resize(id / kPageRows + 1);
    auto &page = pages_[id / kPageRows];
    if (!page)
      page = std::make_unique<Page>();
    return (*page)[id % kPageRows];
  }

  static void add_time(Row &row, const Step &step, bool outermost) {
    row.cost.self_ticks += step.ticks - std::min(step.children_ticks, step.ticks);
    if (outermost)
      row.cost.total_ticks += step.ticks;
  }

  std::vector<std::unique_ptr<Page>> pages_;
  std::unordered_map<uint64_t, uint64_t> others_; // open calls by stack and function
};

} // namespace

std::vector<FunctionCost> read_costs(Recording &recording, Functions &functions, StepFilter *filter,
                                     uint64_t *skipped) {
  std::unordered_map<uint64_t, FunctionCost> sums;
  std::vector<std::pair<uint32_t, uint32_t>> streams; // process, stream
  for (const auto &[index, stream] : recording.streams())
    streams.push_back({stream.process, index});
  std::sort(streams.begin(), streams.end());
  for (size_t i = 0; i < streams.size();) {
    uint32_t process = streams[i].first;
    Ledger ledger;
    for (; i < streams.size() && streams[i].first == process; i++) {
      Thread thread(recording, streams[i].second);
      if (filter && !filter->wants(thread))
        continue;
      Step step;
      while (thread.timeline().next(&step) || thread.timeline().next_open(&step))
        ledger.add(step, filter ? filter->pass(thread, &step) : StepFilter::Verdict());
      *skipped += thread.timeline().skipped();
    }
    ledger.each([&](uint32_t id, const FunctionCost &cost) {
      FunctionCost &sum = sums[functions.key(process, id)];
      sum.hits += cost.hits;
      sum.self_ticks += cost.self_ticks;
      sum.total_ticks += cost.total_ticks;
    });
  }
  std::vector<FunctionCost> costs;
  for (auto &[key, cost] : sums) {
    costs.push_back(cost);
    costs.back().key = key;
  }
  std::sort(costs.begin(), costs.end(), [](const FunctionCost &a, const FunctionCost &b) {
    return std::make_tuple(b.self_ticks, b.hits, a.key) <
           std::make_tuple(a.self_ticks, a.hits, b.key);
  });
  return costs;
}

std::vector<FunctionCost> profile_costs(const Recording &recording, Functions &functions) {
  std::map<uint64_t, FunctionCost> costs;
  for (const auto &[index, process] : recording.processes())
    for (const ProfileView &profile : process.profiles)
      for (const ProfileRow &row : profile.rows) {
        uint64_t key = functions.key(index, (uint32_t)row.id);
        FunctionCost &cost = costs[key];
        cost.key = key;
        cost.hits += row.counts.hits;
        cost.self_ticks += row.counts.self;
        cost.total_ticks += row.counts.total;
      }
  std::vector<FunctionCost> list;
  for (const auto &[key, cost] : costs)
    list.push_back(cost);
  return list;
}

} // namespace nophook
