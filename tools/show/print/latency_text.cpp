// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the histogram, the path and the functions of latencies.

#include "show/print/latency_text.h"

#include "foundation/counted.h"
#include "foundation/json.h"
#include "read/analyse/tracing_cost.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr uint64_t kLeastPercent = 10; // least share of the time in a path
constexpr size_t kBarColumns = 40;
constexpr double kMuchSlower = 10, kSlower = 2;

uint64_t first_of_row(size_t row) { // 0, 1, 2, 5, 10, 20, ...
  uint64_t ns = row ? 1 : 0;
  for (size_t i = 1; i < row; i++)
    ns = ns > ~uint64_t{0} / 5 ? ~uint64_t{0} : i % 3 == 2 ? ns / 2 * 5 : ns * 2;
  return ns;
}

// The path: the most expensive call, the most expensive one in that, and so on.
std::vector<const CallGraph *> path_of(const CallGraph &graph, uint64_t all_ticks, uint32_t depth) {
  std::vector<const CallGraph *> path;
  for (const CallGraph *at = &graph; !at->below.empty();) {
    at = &at->below.front(); // the call with the most time
    if (at->total_ticks * 100 < all_ticks * kLeastPercent || (depth && path.size() == depth))
      break;
    path.push_back(at);
  }
  return path;
}

double percent(uint64_t part, uint64_t all) {
  return all ? 100.0 * (double)part / (double)all : 0;
}

void print_rows(Output &output, const DurationRows &rows, TimeUnit unit) {
  uint64_t most = 1;
  for (const auto &row : rows.rows())
    most = std::max(most, row.count);
  output.line("  {:>12}  {:>12}  {:>10}", "From", "To", "Times");
  for (const auto &[from_ns, to_ns, count] : rows.rows())
    output.line("  {:>12}  {:>12}  {:>10}{}{}", short_duration(from_ns, unit),
                short_duration(to_ns, unit), count, count ? "  " : "",
                std::string((count * kBarColumns + most - 1) / most, '#'));
}

// Prints the share of tracing in the time, unless it is too small to be known.
void print_slowdown(Output &output, uint64_t calls, uint64_t ns, uint64_t tracing_ns,
                    TimeUnit unit) {
  const double times = slowdown(ns, calls * tracing_ns);
  if (times < kSlower)
    return;
  output.line(
      "# Tracing made this time {} slower: {} in it, about {} each. To see the program's own time, "
      "leave out functions that are called often (record -n GLOB).",
      times >= kMuchSlower ? "more than 10 times" : fmt::format("about {:.0f} times", times),
      counted(calls, "traced call"), short_duration(tracing_ns, unit));
}

std::string seconds_text(const TscClock &clock, const Interval &interval) {
  const uint64_t us = clock.at(interval.from) / 1000;
  return fmt::format("{}.{:06}", us / 1000000, us % 1000000);
}

} // namespace

size_t DurationRows::row_of(uint64_t ns) {
  static const std::array<uint64_t, kRows> kFirsts = [] {
    std::array<uint64_t, kRows> firsts;
    for (size_t row = 0; row < kRows; row++)
      firsts[row] = first_of_row(row);
    return firsts;
  }();
  return (size_t)(std::ranges::upper_bound(kFirsts, ns) - kFirsts.begin()) - 1;
}

std::vector<DurationRows::Row> DurationRows::rows() const {
  std::vector<Row> rows;
  for (size_t i = 0; i < kRows; i++)
    if (counts_[i] || !rows.empty())
      rows.push_back({first_of_row(i), first_of_row(i + 1), counts_[i]});
  while (!rows.empty() && !rows.back().count)
    rows.pop_back();
  return rows;
}

void print_latency_head(Output &output, const LatencySummary &summary, const TscClock &clock,
                        TimeUnit unit) {
  const LatencyCase &shown = summary.shown;
  const uint64_t count = summary.durations.count();
  output.line("# latency: {}, {}-{} at {}, {} of {} (average {})",
              short_duration(clock.duration(shown.interval.ticks()), unit), shown.comm, shown.tid,
              seconds_text(clock, shown.interval),
              summary.number == 1 ? "the longest" : fmt::format("number {}", summary.number), count,
              short_duration(clock.duration(summary.ticks) / count, unit));
}

void print_latency_summary(Output &output, const LatencySummary &summary,
                           const IntervalSummary &calls, Functions &functions,
                           const TscClock &clock, uint64_t rows, uint32_t depth, TimeUnit unit) {
  const uint64_t all_ticks = summary.shown.interval.ticks();
  auto text = [&](uint64_t ticks) { return short_duration(clock.duration(ticks), unit); };
  auto percentile = [&](double p) { return short_duration(summary.durations.quantile(p), unit); };
  output.line("# p50 {}, p90 {}, p99 {}, max {}", percentile(0.5), percentile(0.9),
              percentile(0.99), percentile(1));
  print_slowdown(output, calls.calls, clock.duration(all_ticks), summary.tracing_ns, unit);
  output.line("");
  if (summary.durations.count() > 1) {
    print_rows(output, summary.rows, unit);
    output.line("");
  }
  output.line("  {:>6}  {:>12}  {:>10}  Path in the longest", "Time %", "Total", "Calls");
  std::string indent;
  for (const CallGraph *node : path_of(calls.graph, all_ticks, depth)) {
    output.line("  {:>5.1f}%  {:>12}  {:>10}  {}{}", percent(node->total_ticks, all_ticks),
                text(node->total_ticks), node->hits, indent, node->name);
    indent += "  ";
  }
  output.line("");
  output.line("  {:>6}  {:>12}  {:>12}  {:>10}  Functions in the longest", "Self %", "Self",
              "Total", "Calls");
  for (size_t i = 0; i < calls.functions.size() && i < rows && !output.closed(); i++) {
    const FunctionCost &cost = calls.functions[i];
    output.line("  {:>5.1f}%  {:>12}  {:>12}  {:>10}  {}", percent(cost.self_ticks, all_ticks),
                text(cost.self_ticks), text(cost.total_ticks), cost.hits,
                functions.name_of_key(cost.key));
  }
}

void print_longest(Output &output, const std::vector<LatencyCase> &cases, const TscClock &clock,
                   TimeUnit unit, bool json) {
  std::vector<std::string> threads;
  size_t columns = std::string_view("Thread").size();
  for (const LatencyCase &one : cases) {
    threads.push_back(fmt::format("{}-{}", one.comm, one.tid));
    columns = std::max(columns, threads.back().size());
  }
  const bool has_calls = !cases.empty() && !cases.front().call.empty();
  if (!json)
    output.line("  {:>6}  {:>12}  {:>16}  {:<{}}{}", "Number", "Time", "Begin", "Thread",
                has_calls ? columns : 0, has_calls ? "  Call" : "");
  for (size_t i = 0; i < cases.size() && !output.closed(); i++) {
    const LatencyCase &one = cases[i];
    const uint64_t ns = clock.duration(one.interval.ticks());
    if (json) {
      Json line = {{"number", i + 1},
                   {"ns", ns},
                   {"from_ns", clock.at(one.interval.from)},
                   {"to_ns", clock.at(one.interval.to)},
                   {"pid", one.pid},
                   {"tid", one.tid},
                   {"comm", one.comm}};
      if (!one.call.empty())
        line.add("call", one.call);
      output.line(line.text());
    } else {
      output.line("  {:>6}  {:>12}  {:>16}  {:<{}}{}{}", i + 1, short_duration(ns, unit),
                  seconds_text(clock, one.interval), threads[i], has_calls ? columns : 0,
                  has_calls ? "  " : "", one.call);
    }
  }
}

std::string latency_json(const LatencySummary &summary, const IntervalSummary &calls,
                         Functions &functions, const TscClock &clock, uint64_t rows,
                         uint32_t depth) {
  const uint64_t all_ticks = summary.shown.interval.ticks(), count = summary.durations.count();
  Json histogram = Json::list(), path = Json::list(), list = Json::list();
  for (const auto &row : summary.rows.rows())
    histogram.push(Json{{"from_ns", row.from_ns}, {"to_ns", row.to_ns}, {"count", row.count}});
  for (const CallGraph *node : path_of(calls.graph, all_ticks, depth))
    path.push(Json{{"function", node->name},
                   {"calls", node->hits},
                   {"total_ns", clock.duration(node->total_ticks)}});
  for (size_t i = 0; i < calls.functions.size() && i < rows; i++) {
    const FunctionCost &cost = calls.functions[i];
    list.push(Json{{"function", functions.name_of_key(cost.key)},
                   {"calls", cost.hits},
                   {"self_ns", clock.duration(cost.self_ticks)},
                   {"total_ns", clock.duration(cost.total_ticks)}});
  }
  Json line = {{"longest_ns", clock.duration(all_ticks)},
               {"from_ns", clock.at(summary.shown.interval.from)},
               {"to_ns", clock.at(summary.shown.interval.to)},
               {"pid", summary.shown.pid},
               {"tid", summary.shown.tid},
               {"intervals", count},
               {"average_ns", clock.duration(summary.ticks) / count},
               {"p50_ns", summary.durations.quantile(0.5)},
               {"p90_ns", summary.durations.quantile(0.9)},
               {"p99_ns", summary.durations.quantile(0.99)},
               {"traced_calls", calls.calls}};
  if (summary.tracing_ns)
    line.add("tracing_ns_per_call", summary.tracing_ns);
  line.add("histogram", histogram).add("path", path).add("functions", list);
  return line.text();
}

} // namespace nophook
