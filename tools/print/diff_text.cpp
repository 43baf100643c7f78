// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/diff_text.h"

#include "base/json.h"
#include "print/duration.h"
#include "print/profile_text.h"
#include "print/trace_text.h"

namespace nophook {

namespace {

using Sums = FunctionChange::Sums;

std::string signed_duration(int64_t ns) {
  return (ns < 0 ? "-" : "+") + short_duration((uint64_t)std::abs(ns));
}

Json json_of(const FunctionChange &row, bool timed) {
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

void time_columns(Output &output, const FunctionChange &row, int64_t Sums::*value) {
  auto text = [](int64_t ns) { return short_duration((uint64_t)ns); };
  output.add(fmt::format("  {:>11} {:>11} {:>12}", text(row.before.*value), text(row.after.*value),
                         signed_duration(row.after.*value - row.before.*value)));
}

} // namespace

void print_diff(Output &output, const DiffSide &before, const DiffSide &after, uint64_t rows,
                bool json) {
  const std::vector<FunctionChange> sorted = compare_costs(before, after);
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
    const FunctionChange &row = sorted[i];
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
