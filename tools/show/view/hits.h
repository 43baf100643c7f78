// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places where calls of some functions begin: the hits of a search.
//
// Levels of detail name only the longest call of a merge, so they cannot answer. The set of
// functions that the index has for each block says which blocks may have a hit, and these are
// decoded: all in view up to a limit for the marks, or one after the other up to the next hit.
//
// Hits have one order in the whole recording: by time, thread and depth. So a search back from the
// next hit finds the hit that the search forward began at. A call whose start was not recorded is
// no hit.

#pragma once

#include "show/view/rows.h"

#include <compare>

namespace nophook {

struct HitQuery {
  std::vector<uint32_t> functions; // ascending
  std::vector<uint32_t> threads;   // numbers of tracks
};

struct Hit {
  uint64_t at = 0;
  uint32_t thread = 0; // number of a track
  uint32_t depth = 0;
  auto operator<=>(const Hit &) const = default;
};

// Forward: the first hit from `place` on. Backward: the last hit before `place`.
std::optional<Hit> next_hit(RecordingIndex &index, const Tracks &tracks, const HitQuery &query,
                            const Hit &place, bool forward);

// Hits of one thread that are less than a column apart.
struct HitSpan {
  uint32_t thread = 0;
  uint64_t first = 0, last = 0;
  uint64_t calls = 0; // 0: a block that may have hits and was not decoded
};

// The most blocks that are decoded for the marks of one picture: two million events.
constexpr size_t kMostBlocksForHits = 256;

// The hits in [from, to), merged to columns.
std::vector<HitSpan> hit_spans(RecordingIndex &index, const Tracks &tracks, const HitQuery &query,
                               uint64_t from, uint64_t to, uint64_t column);

} // namespace nophook
