// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/diff.h"

#include "base/json.h"
#include "print/duration.h"
#include "print/profile_text.h"
#include "print/trace_text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace nophook {

namespace {

struct Sums {
  int64_t hits = 0, self_ns = 0, total_ns = 0;
};

struct Row {
  std::string name;
  Sums before, after;

  int64_t slower() const { return after.self_ns - before.self_ns; }
  int64_t oftener() const { return after.hits - before.hits; }
};

using Rows = std::map<std::string, Row>; // by Functions::identity_of_key

void add(const DiffSide &side, Sums Row::*sums, Rows *rows) {
  for (const FunctionCost &cost : side.costs) {
    Row &row = (*rows)[side.functions.identity_of_key(cost.key)];
    row.name = side.functions.name_of_key(cost.key);
    (row.*sums).hits += (int64_t)cost.hits;
    (row.*sums).self_ns += (int64_t)side.recording.clock().duration(cost.self_ticks);
    (row.*sums).total_ns += (int64_t)side.recording.clock().duration(cost.total_ticks);
  }
}

std::string signed_duration(int64_t ns) {
  return (ns < 0 ? "-" : "+") + short_duration((uint64_t)std::abs(ns));
}

Json json_of(const Row &row, bool timed) {
  Json line = {{"function", row.name}};
  auto add = [&](const char *name, int64_t Sums::*value) {
    line.add(name, Json{{"before", row.before.*value},
                        {"after", row.after.*value},
                        {"difference", row.after.*value - row.before.*value}});
  };
  add("hits", &Sums::hits);
  if (timed) {
    add("self_ns", &Sums::self_ns);
    add("total_ns", &Sums::total_ns);
  }
  return line;
}

bool has_times(const Recording &recording) {
  return is_graph_recording(recording) || is_profile_recording(recording);
}

void time_columns(Output &output, const Row &row, int64_t Sums::*value) {
  auto text = [](int64_t ns) { return short_duration((uint64_t)ns); };
  output.add(fmt::format("  {:>11} {:>11} {:>12}", text(row.before.*value), text(row.after.*value),
                         signed_duration(row.after.*value - row.before.*value)));
}

} // namespace

void print_diff(Output &output, const DiffSide &before, const DiffSide &after, uint64_t rows,
                bool json) {
  Rows sums;
  add(before, &Row::before, &sums);
  add(after, &Row::after, &sums);
  std::vector<Row> sorted;
  for (auto &[identity, row] : sums)
    sorted.push_back(std::move(row));
  std::ranges::sort(sorted, [](const Row &a, const Row &b) {
    return std::make_tuple(b.slower(), b.oftener(), a.name) <
           std::make_tuple(a.slower(), a.oftener(), b.name);
  });
  bool timed = has_times(before.recording) && has_times(after.recording);
  if (!json) {
    output.line("# before: {}", printable(before.recording.path()));
    output.line("# after:  {}", printable(after.recording.path()));
    for (const char *what : {"Self", "Total"})
      if (timed)
        output.add(fmt::format("  {:>11} {:>11} {:>12}", what, "after", "difference"));
    output.line("  {:>10} {:>10} {:>11}  {}", "Hits", "after", "difference", "Function");
  }
  for (size_t i = 0; i < sorted.size() && (!rows || i < rows) && !output.closed(); i++) {
    const Row &row = sorted[i];
    if (json) {
      output.line(json_of(row, timed).text());
      continue;
    }
    if (timed) {
      time_columns(output, row, &Sums::self_ns);
      time_columns(output, row, &Sums::total_ns);
    }
    output.line("  {:>10} {:>10} {:>+11}  {}", row.before.hits, row.after.hits, row.oftener(),
                row.name);
  }
}

} // namespace nophook
