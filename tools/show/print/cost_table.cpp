// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns of tables of costs, and their rows as text or JSON.

#include "show/print/cost_table.h"

#include "foundation/json.h"
#include "read/recording/tracer_form.h"

#include <algorithm>

namespace nophook {

const char *const kCostFields = "self self% total hits avg p50 p90 p99 max";
const char *const kCostGroups = "function thread module file";

namespace {

using enum CostColumn;

constexpr struct {
  CostColumn column;
  const char *name, *title, *json;
} kColumns[] = {{kHits, "hits", "Hits", "hits"},
                {kSelf, "self", "Self", "self_ns"},
                {kSelfPercent, "self%", "Self %", "self_percent"},
                {kTotal, "total", "Total", "total_ns"},
                {kAverage, "avg", "Avg", "average_ns"},
                {kP50, "p50", "p50", "p50_ns"},
                {kP90, "p90", "p90", "p90_ns"},
                {kP99, "p99", "p99", "p99_ns"},
                {kMax, "max", "Max", "max_ns"},
                // Names as in the profile's --sort.
                {kHits, "hit", "", ""},
                {kTotal, "time", "", ""},
                {kName, "function", "Function", "function"}};

constexpr const char *kGroupTitles[] = {"Function", "Thread", "Module", "File"};
constexpr const char *kGroupNames[] = {"function", "thread", "module", "file"};

const auto &described(CostColumn column) {
  return *std::ranges::find_if(kColumns, [&](const auto &row) { return row.column == column; });
}

bool is_of_durations(CostColumn column) {
  return column == kAverage || column == kP50 || column == kP90 || column == kP99 || column == kMax;
}

uint64_t ticks_of(CostColumn column, const FunctionCost &cost) {
  static const DurationHistogram kNone;
  const DurationHistogram &durations = cost.durations ? *cost.durations : kNone;
  switch (column) {
  case kSelf:
  case kSelfPercent:
    return cost.self_ticks;
  case kTotal:
    return cost.total_ticks;
  case kHits:
    return cost.hits;
  case kAverage:
    return durations.average();
  case kP50:
    return durations.quantile(0.5);
  case kP90:
    return durations.quantile(0.9);
  case kP99:
    return durations.quantile(0.99);
  case kMax:
    return durations.max();
  case kName:
    break;
  }
  return 0;
}

double percent_of(uint64_t part, uint64_t all) {
  return all ? 100.0 * (double)part / (double)all : 0;
}

Error refused(const std::string &option, const std::string &why) {
  return {"report", option, why, kExitUsage};
}

// The reason why a recording lacks a column, in rows of a kind; null: it has it.
const char *missing(CostColumn column, CostsBy by, const Recording &recording) {
  const bool is_profile = is_profile_recording(recording);
  if (column == kHits || column == kName)
    return nullptr;
  if (has_counts_only(recording))
    return "the recording has no durations: it is of the tracer hits, which counts only";
  if (!is_profile && !is_graph_recording(recording))
    return "the recording has no durations: it is not of function_graph";
  if (is_of_durations(column) && is_profile)
    return "a profile has sums only; its averages are in the table without --by";
  if (is_of_durations(column) && by != CostsBy::kFunction)
    return "is of one function's calls: use --by function";
  if (column == kTotal && is_profile && by != CostsBy::kFunction)
    return "a profile does not know which of these calls are within others";
  return nullptr;
}

Result<CostColumn> column_named(const std::string &option, std::string_view name, CostsBy by) {
  for (const auto &row : kColumns)
    if (name == (row.column == kName ? kGroupNames[(size_t)by] : row.name))
      return row.column;
  return refused(
      option,
      fmt::format("there is no column '{}' here (there are: {}{})", printable(name), kCostFields,
                  option == "--sort" ? std::string(" ") + kGroupNames[(size_t)by] : std::string()));
}

} // namespace

Result<CostTable> CostTable::of(const Recording &recording, const CostTableOptions &options) {
  CostTable table;
  table.options_ = options;
  const auto named = std::ranges::find(kGroupNames, options.by.empty() ? "function" : options.by);
  const auto by = (CostsBy)(named - std::begin(kGroupNames));
  table.query_.by = by;
  auto check = [&](const char *option, CostColumn column) -> Result<> {
    if (const char *why = missing(column, by, recording))
      return refused(option, fmt::format("{}: {}", described(column).name, why));
    return {};
  };

  if (options.fields.empty()) {
    for (CostColumn column : {kSelf, kSelfPercent, kTotal, kHits})
      if (!missing(column, by, recording) && (column != kTotal || options.graph_time))
        table.columns_.push_back(column);
  }
  for (size_t at = 0; !options.fields.empty() && at <= options.fields.size();) {
    const size_t end = std::min(options.fields.find(',', at), options.fields.size());
    auto column =
        column_named("--fields", std::string_view(options.fields).substr(at, end - at), by);
    NOPHOOK_TRY(column);
    NOPHOOK_TRY(check("--fields", *column));
    if (*column == kTotal && !options.graph_time)
      return refused("--fields", "total: -O nograph-time leaves it out");
    if (*column != kName) // the name is always there
      table.columns_.push_back(*column);
    at = end + 1;
  }

  if (options.sort.empty()) {
    table.sorted_by_ = missing(kSelf, by, recording) ? kHits : kSelf;
  } else {
    auto column = column_named("--sort", options.sort, by);
    NOPHOOK_TRY(column);
    NOPHOOK_TRY(check("--sort", *column));
    table.sorted_by_ = *column;
    if (options.fields.empty() && *column != kName &&
        // A reader wants to see the column that rows are sorted by.
        !std::ranges::count(table.columns_, *column))
      table.columns_.push_back(*column);
  }
  table.query_.durations =
      is_of_durations(table.sorted_by_) || std::ranges::any_of(table.columns_, is_of_durations);
  return table;
}

void CostTable::sort(std::vector<FunctionCost> *costs, Functions &functions) const {
  if (sorted_by_ == kName) {
    std::ranges::sort(*costs, [&](const FunctionCost &a, const FunctionCost &b) {
      return std::tuple(std::string_view(a.name(functions)), a.key) <
             std::tuple(std::string_view(b.name(functions)), b.key);
    });
    return;
  }
  std::vector<std::pair<uint64_t, size_t>> order; // sort keys, since a percentile takes a while
  for (size_t i = 0; i < costs->size(); i++)
    order.push_back({ticks_of(sorted_by_, (*costs)[i]), i});
  std::ranges::sort(order, [&](const auto &left, const auto &right) {
    const FunctionCost &a = (*costs)[left.second], &b = (*costs)[right.second];
    return std::tuple(right.first, b.self_ticks, b.hits, a.key) <
           std::tuple(left.first, a.self_ticks, a.hits, b.key);
  });
  std::vector<FunctionCost> sorted;
  for (const auto &[value, index] : order)
    sorted.push_back(std::move((*costs)[index]));
  *costs = std::move(sorted);
}

std::string CostTable::cell(CostColumn column, const FunctionCost &cost, const TscClock &clock,
                            uint64_t all_ticks) const {
  if (column == kHits)
    return fmt::format("{}", cost.hits);
  if (column == kSelfPercent)
    return fmt::format("{:.1f}%", percent_of(cost.self_ticks, all_ticks));
  return short_duration(clock.duration(ticks_of(column, cost)), options_.unit);
}

std::string CostTable::json_row(const FunctionCost &cost, Functions &functions,
                                const TscClock &clock, uint64_t all_ticks) const {
  Json line = {{kGroupNames[(size_t)query_.by], cost.name(functions)}};
  for (const auto &row : kColumns) {
    if (!*row.json || !std::ranges::count(columns_, row.column))
      continue;
    if (row.column == kHits)
      line.add(row.json, cost.hits);
    else if (row.column == kSelfPercent)
      line.add(row.json, percent_of(cost.self_ticks, all_ticks));
    else
      line.add(row.json, clock.duration(ticks_of(row.column, cost)));
  }
  if (const SourceLine source = options_.srcline ? functions.source_of_key(cost.key) : SourceLine();
      !source.file.empty())
    line.add("file", source.file).add("line", source.line);
  return line.text();
}

void CostTable::print_row(Output &output, const FunctionCost &cost, Functions &functions,
                          const TscClock &clock, uint64_t all_ticks) const {
  if (options_.json)
    return output.line(json_row(cost, functions, clock, all_ticks));
  for (CostColumn column : columns_)
    output.add(fmt::format("  {:>{}}", cell(column, cost, clock, all_ticks),
                           column == kSelfPercent ? 6 : 12));
  output.add("  ");
  output.add(cost.name(functions));
  if (const SourceLine source = options_.srcline ? functions.source_of_key(cost.key) : SourceLine();
      !source.file.empty())
    output.add(fmt::format(" /* {}:{} */", source.base(), source.line));
  output.end_line();
}

void CostTable::print(Output &output, Functions &functions, const TscClock &clock,
                      std::vector<FunctionCost> costs) const {
  uint64_t all_ticks = 0;
  for (const FunctionCost &cost : costs)
    all_ticks += cost.self_ticks;
  const auto left_out = std::erase_if(
      costs, [&](const FunctionCost &cost) { return cost.hits < options_.min_calls; });
  sort(&costs, functions);
  if (!options_.json) {
    const Output::Header uncounted(output);
    for (CostColumn column : columns_)
      output.add(fmt::format("  {:>{}}", described(column).title, column == kSelfPercent ? 6 : 12));
    output.line("  {}", kGroupTitles[(size_t)query_.by]);
  }
  for (size_t i = 0; i < costs.size() && (!options_.rows || i < options_.rows); i++) {
    if (output.closed())
      return;
    print_row(output, costs[i], functions, clock, all_ticks);
  }
  if (left_out && !options_.json)
    output.line("# {} with fewer than {} calls left out (--min-calls)",
                left_out == 1 ? fmt::format("1 {}", kGroupNames[(size_t)query_.by])
                              : fmt::format("{} {}s", left_out, kGroupNames[(size_t)query_.by]),
                options_.min_calls);
}

} // namespace nophook
