// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/top.h"

#include "base/json.h"
#include "print/duration.h"
#include "print/trace_text.h"

#include <algorithm>

namespace nophook {

void print_top(Output &output, Functions &functions, const Recording &recording,
               const std::vector<FunctionCost> &costs, uint64_t rows, bool json,
               const TraceOptions &options) {
  uint64_t all_ticks = 0;
  for (const FunctionCost &cost : costs)
    all_ticks += cost.self_ticks;
  bool timed = is_graph_recording(recording), total = timed && options.graph_time;
  const TscClock &clock = recording.clock();
  if (!json) {
    output.add(timed ? fmt::format("  {:>12}  {:>6}", "Self", "Self %") : "");
    output.add(total ? fmt::format("  {:>12}", "Total") : "");
    output.line("  {:>12}  {}", "Hits", "Function");
  }
  for (size_t i = 0; i < costs.size() && i < rows && !output.closed(); i++) {
    const FunctionCost &cost = costs[i];
    const std::string &name = functions.name_of_key(cost.key);
    double percent = all_ticks ? 100.0 * (double)cost.self_ticks / (double)all_ticks : 0;
    uint64_t self_ns = clock.duration(cost.self_ticks), total_ns = clock.duration(cost.total_ticks);
    SourceLine source = options.srcline ? functions.source_of_key(cost.key) : SourceLine();
    if (json) {
      Json line = {{"function", name}, {"hits", cost.hits}};
      if (timed)
        line.add("self_ns", self_ns).add("self_percent", percent);
      if (total)
        line.add("total_ns", total_ns);
      if (!source.file.empty())
        line.add("file", source.file).add("line", source.line);
      output.line(line.text());
      continue;
    }
    output.add(timed ? fmt::format("  {:>12}  {:>5.1f}%", short_duration(self_ns), percent) : "");
    output.add(total ? fmt::format("  {:>12}", short_duration(total_ns)) : "");
    output.add(fmt::format("  {:>12}  {}", cost.hits, name));
    if (!source.file.empty())
      output.add(fmt::format(" /* {}:{} */", source.base(), source.line));
    output.end_line();
  }
}

} // namespace nophook
