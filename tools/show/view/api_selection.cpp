// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer `selection`: the table, the flame graph and the slowest calls of a part.

#include "show/view/api.h"

#include "foundation/json.h"
#include "show/view/view_selection.h"

#include <algorithm>
#include <bit>

namespace nophook {

namespace {

constexpr size_t kMostTreeNodes = 20000;

} // namespace

ViewAnswer ViewApi::selection(const ViewQuery &query) {
  SelectionQuery asked;
  asked.from = from(query);
  asked.to = to(query);
  for (uint32_t number : threads(query))
    asked.tracks.push_back(*tracks_.at(number));
  if (query.has("function"))
    asked.function = query.integer<uint32_t>("function", UINT32_MAX, 0, UINT32_MAX);
  SelectionAnswer got = select_calls(index_, asked);

  Json table = Json::list();
  for (const auto &[function, sums] : got.functions) {
    Json row = {
        {"function", function}, {"calls", sums.calls}, {"total", sums.total}, {"own", sums.own}};
    row.add("p50", sums.durations.quantile(0.5)).add("p90", sums.durations.quantile(0.9));
    row.add("p99", sums.durations.quantile(0.99)).add("max", sums.durations.max());
    std::map<uint64_t, uint64_t> octaves; // by their shortest duration
    sums.durations.for_each_bucket([&](uint64_t first, uint64_t, uint64_t count) {
      octaves[first ? std::bit_floor(first) : 0] += count;
    });
    Json histogram = Json::list();
    for (const auto &[first, count] : octaves) {
      Json octave = Json::list();
      octave.push(first);
      octave.push(count);
      histogram.push(octave);
    }
    table.push(row.add("histogram", histogram));
  }

  // The nodes with the most time are kept. Their parents are, too, as these have more time.
  uint64_t least = 0;
  if (got.nodes.size() > kMostTreeNodes) {
    std::vector<uint64_t> totals;
    for (const SelectedNode &node : got.nodes)
      totals.push_back(node.total);
    std::nth_element(totals.begin(), totals.begin() + kMostTreeNodes, totals.end(),
                     std::greater<>());
    least = totals[kMostTreeNodes] + 1;
  }
  std::vector<int64_t> numbers_of(got.nodes.size(), -1);
  Json function = Json::list(), parent = Json::list(), calls = Json::list(), total = Json::list(),
       own = Json::list();
  int64_t kept = 0;
  for (size_t i = 0; i < got.nodes.size(); i++) {
    const SelectedNode &node = got.nodes[i];
    if (node.total < least) {
      got.nodes_left_out++;
      continue;
    }
    numbers_of[i] = kept++;
    function.push(node.function);
    parent.push(node.parent < 0 ? int64_t{-1} : numbers_of[(size_t)node.parent]);
    calls.push(node.calls);
    total.push(node.total);
    own.push(node.own);
  }
  Json slowest = Json::list();
  for (const SlowCall &slow : got.slowest)
    for (uint32_t number : threads(query))
      if (auto place = tracks_.at(number);
          place->stream == slow.place.stream && place->track == slow.place.track)
        slowest.push({{"thread", number},
                      {"depth", (uint32_t)slow.slice.depth},
                      {"begin", slow.slice.start},
                      {"duration", slow.slice.duration},
                      {"function", slow.slice.function}});
  Json tree = {
      {"function", function}, {"parent", parent}, {"calls", calls}, {"total", total}, {"own", own}};
  tree.add("left_out", got.nodes_left_out);
  return {
      .body =
          Json({{"covered", got.covered}, {"table", table}, {"tree", tree}, {"slowest", slowest}})
              .text()};
}

} // namespace nophook
