// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers `search`, `hits` and `hit`: functions by name, and the places where their calls
// begin.

#include "show/view/api.h"

#include "foundation/json.h"
#include "show/view/hits.h"

#include <algorithm>
#include <fnmatch.h>
#include <llvm/ADT/StringExtras.h>

namespace nophook {

namespace {

constexpr size_t kMostSpans = 5000;

} // namespace

ViewAnswer ViewApi::search(const ViewQuery &query) {
  update_names();
  const std::string wanted = llvm::StringRef(query.text("name")).lower();
  const auto limit = query.integer<size_t>("limit", 50, 1, 10000);
  const bool glob = wanted.find_first_of("*?[") != std::string::npos;
  struct Found {
    uint32_t function;
    FunctionSums sums;
  };
  std::vector<Found> found;
  {
    std::lock_guard guard(known_lock_);
    for (uint32_t i = 0; i < known_.size(); i++) {
      std::string name = llvm::StringRef(known_[i].readable).lower();
      if (glob ? !::fnmatch(wanted.c_str(), name.c_str(), 0)
               : name.find(wanted) != std::string::npos)
        found.push_back({i, index_.sums(i)});
    }
  }
  std::ranges::sort(found, [](const Found &a, const Found &b) {
    return a.sums.total != b.sums.total ? a.sums.total > b.sums.total : a.function < b.function;
  });
  Json functions = Json::list();
  for (size_t i = 0; i < std::min(limit, found.size()); i++)
    functions.push({{"function", found[i].function},
                    {"calls", found[i].sums.calls},
                    {"total", found[i].sums.total}});
  return {.body = Json({{"functions", functions},
                        {"left_out", (uint64_t)(found.size() - std::min(limit, found.size()))}})
                      .text()};
}

HitQuery ViewApi::wanted_hits(const ViewQuery &query) {
  HitQuery wanted = {query.numbers("functions"), threads(query)};
  std::ranges::sort(wanted.functions);
  return wanted;
}

ViewAnswer ViewApi::hits(const ViewQuery &query) {
  const uint64_t begin = from(query), end = to(query);
  const double columns = std::clamp(query.number("columns", 1600), 1.0, 100000.0);
  const auto column = clamped<uint64_t>((double)(end - std::min(begin, end)) / columns, 1);
  std::vector<HitSpan> found = hit_spans(index_, tracks_, wanted_hits(query), begin, end, column);
  // If there are too many spans, some are left out everywhere, not all of the last threads.
  const size_t stride = found.size() / kMostSpans + 1;
  Json spans = Json::list();
  for (size_t i = 0; i < found.size(); i += stride) {
    const HitSpan &span = found[i];
    Json one = Json::list();
    one.push(span.thread);
    one.push(span.first);
    one.push(span.last);
    one.push(span.calls ? Json(span.calls) : Json());
    spans.push(one);
  }
  return {.body =
              Json({{"spans", spans},
                    {"left_out", (uint64_t)(found.size() - (found.size() + stride - 1) / stride)}})
                  .text()};
}

ViewAnswer ViewApi::hit(const ViewQuery &query) {
  const bool forward = query.number("forward", 1) != 0;
  Hit place = {.at = query.integer<uint64_t>("at", 0, 0, kMostTime)};
  if (query.has("thread")) {
    place.thread = query.integer<uint32_t>("thread", 0, 0, UINT32_MAX);
    place.depth = query.integer<uint32_t>("depth", 0, 0, UINT16_MAX) + (forward ? 1 : 0);
  }
  auto hit = next_hit(index_, tracks_, wanted_hits(query), place, forward);
  Json found;
  if (hit)
    found = {{"thread", hit->thread}, {"depth", hit->depth}, {"at", hit->at}};
  return {.body = Json({{"hit", found}}).text()};
}

} // namespace nophook
