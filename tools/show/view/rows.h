// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of some tracks between two times, as the timeline shows them.

#pragma once

#include "show/view/index.h"

#include <map>

namespace nophook {

// The tracks of an index, numbered in the order in which they are found. Any thread may ask.
class Tracks {
public:
  struct Place {
    IndexedStream *stream;
    size_t track; // index in its tracks
  };
  explicit Tracks(RecordingIndex &index) : index_(index) {}

  // Looks for new tracks; returns the number of all tracks.
  size_t update();
  std::optional<Place> at(size_t number) const;

private:
  RecordingIndex &index_;
  mutable std::mutex lock_;
  std::map<std::pair<uint32_t, size_t>, size_t> numbers_;
  std::vector<Place> places_;
};

struct RowsQuery {
  uint64_t from = 0, to = 0;    // ns
  uint64_t column = 1;          // ns; shorter calls may be merged
  uint32_t depths = UINT16_MAX; // most levels of each track
};

// The most blocks that are decoded for one picture: half a million events.
constexpr size_t kMostBlocksForRows = 64;

// The slices of one track that overlap the time, in no order. `*blocks` is the number of blocks
// that may still be decoded; it is lowered.
std::vector<Slice> slices_of(RecordingIndex &index, const Tracks::Place &place,
                             const RowsQuery &query, size_t *blocks);

// Merges slices that are shorter than a column.
std::vector<Slice> merge_to_columns(std::vector<Slice> slices, uint64_t column);

// The calls that are open at `time`, outermost first, with their true ends if the recording has
// them.
std::vector<Slice> calls_at(RecordingIndex &index, const Tracks::Place &place, uint64_t time);

} // namespace nophook
