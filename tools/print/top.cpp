// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/top.h"

#include "print/duration.h"
#include "print/trace_text.h"

#include <algorithm>
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

  void add(const Step &step) {
    if (step.kind == Step::kLost || step.kind == Step::kMark)
      return;
    if (step.id >= rows_.size())
      rows_.resize(step.id + 1);
    Row &row = rows_[step.id];
    uint64_t &open = step.stack ? others_[(uint64_t)step.stack << 32 | step.id] : row.open;
    if (step.kind == Step::kClose) {
      if (step.has_start)
        add_time(row, step, --open == 0);
      return;
    }
    row.cost.hits++;
    if (step.kind == Step::kOpen)
      open++;
    else if (step.kind == Step::kLeaf)
      add_time(row, step, open == 0);
  }

  const std::vector<Row> &rows() const { return rows_; }

private:
  static void add_time(Row &row, const Step &step, bool outermost) {
    row.cost.self_ticks += step.ticks - std::min(step.children_ticks, step.ticks);
    if (outermost)
      row.cost.total_ticks += step.ticks;
  }

  std::vector<Row> rows_;
  std::unordered_map<uint64_t, uint64_t> others_; // open calls by stack and function
};

} // namespace

std::vector<FunctionCost> read_costs(Recording &recording, Functions &functions,
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
      Step step;
      while (thread.timeline().next(&step) || thread.timeline().next_open(&step))
        ledger.add(step);
      *skipped += thread.timeline().skipped();
    }
    for (uint32_t id = 0; id < ledger.rows().size(); id++) {
      const FunctionCost &cost = ledger.rows()[id].cost;
      if (!cost.hits)
        continue;
      FunctionCost &sum = sums[functions.key(process, id)];
      sum.hits += cost.hits;
      sum.self_ticks += cost.self_ticks;
      sum.total_ticks += cost.total_ticks;
    }
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

void print_top(Output &output, Functions &functions, const Recording &recording,
               const std::vector<FunctionCost> &costs, uint64_t rows, bool json) {
  uint64_t all_ticks = 0;
  for (const FunctionCost &cost : costs)
    all_ticks += cost.self_ticks;
  bool timed = is_graph_recording(recording);
  const TscClock &clock = recording.clock();
  if (!json && timed)
    output.line("  {:>12}  {:>6}  {:>12}  {:>12}  {}", "Self", "Self %", "Total", "Hits",
                "Function");
  else if (!json)
    output.line("  {:>12}  {}", "Hits", "Function");
  for (size_t i = 0; i < costs.size() && i < rows && !output.closed(); i++) {
    const FunctionCost &cost = costs[i];
    const std::string &name = functions.name_of_key(cost.key);
    double percent = all_ticks ? 100.0 * (double)cost.self_ticks / (double)all_ticks : 0;
    uint64_t self_ns = clock.duration(cost.self_ticks), total_ns = clock.duration(cost.total_ticks);
    if (json) {
      nlohmann::ordered_json line = {{"function", name}, {"hits", cost.hits}};
      if (timed)
        line.update({{"self_ns", self_ns}, {"self_percent", percent}, {"total_ns", total_ns}});
      output.line(line.dump());
    } else if (timed) {
      output.line("  {:>12}  {:>5.1f}%  {:>12}  {:>12}  {}", short_duration(self_ns), percent,
                  short_duration(total_ns), cost.hits, name);
    } else {
      output.line("  {:>12}  {}", cost.hits, name);
    }
  }
}

} // namespace nophook
