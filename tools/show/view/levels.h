// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels of detail of one track.
//
// A screen shows a billion calls in 1,600 columns, so nearly all of them are narrower than one. To
// look at all of them for each picture takes a minute. Each level here has a resolution, four times
// that of the level below. Calls that are longer than the resolution are slices of their own.
// Shorter ones are merged with their neighbours at the same depth into one slice for each interval
// of that length. A picture needs the level whose resolution is just finer than a column: a few
// slices for each column, whatever the length of the recording.
//
// The finest levels would be as large as the recording. A level that has more than one slice for
// kCallsPerSlice calls is dropped: closer views decode the recording itself
// (show/view/block_reader.h).

#pragma once

#include "show/view/slice.h"

#include <functional>
#include <span>
#include <vector>

namespace nophook {

// A part of a level: slices that were completed one after the other.
struct SlicePage {
  uint64_t first_start = ~uint64_t{0}; // earliest start of its slices
  uint64_t last_end = 0;               // latest end of its slices
  uint64_t offset = 0;                 // in the index file
  uint32_t slices = 0;
  uint32_t reserved = 0;
  uint64_t checksum = 0; // XXH3 of its bytes
};

struct Level {
  uint64_t resolution = 1;
  std::vector<SlicePage> pages; // in the index file
  std::vector<Slice> tail;      // slices that are in no page so far

  // The merged slice that may still grow, for each depth.
  struct Growing {
    Slice slice{.calls = 0}; // calls 0: no slice
    uint64_t longest = 0;    // duration of the longest call in it
    uint64_t from = 0;       // start of the interval in which its calls begin
  };
  std::vector<Growing> growing;
  uint64_t slices = 0; // number of completed slices
  uint64_t added = 0;
};

class Levels {
public:
  static constexpr uint64_t kFinest = 1024;      // first resolution in ns
  static constexpr unsigned kFactorBits = 2;     // log2 of the factor between resolutions
  static constexpr uint64_t kCallsPerSlice = 64; // fewest calls per slice of a level
  static constexpr uint64_t kFreeSlices = 1024;  // slices of a level without that rule
  static constexpr size_t kPageSlices = 512;
  static constexpr size_t kSpillSlices = 32 << 10; // more slices are written to pages

  // Writes the slices of one page, at most kPageSlices, and returns the page with its offset.
  using WritePage = std::function<SlicePage(std::span<const Slice>)>;

  // Makes the levels up to the first one that is coarser than a 512th of `duration`.
  explicit Levels(uint64_t duration);
  Levels(std::vector<Level> levels) : levels_(std::move(levels)) {}

  // Adds a call. Calls come in the order of their ends.
  void add(const Slice &call);

  // Writes the slices that are in memory beyond kSpillSlices.
  void spill(const WritePage &write);

  // Writes everything. No call follows.
  void finish(const WritePage &write);

  // The coarsest level whose resolution is not above `column`, else the finest level; null: there
  // are no levels.
  const Level *for_column(uint64_t column) const;
  const std::vector<Level> &all() const { return levels_; } // finest first

private:
  void add_to(size_t level, const Slice &slice, uint64_t longest);
  void complete(size_t level, const Slice &slice, uint64_t longest);
  void complete(size_t level, Level::Growing &growing);
  void flush(size_t level, uint64_t before);
  void drop_finest();

  std::vector<Level> levels_;
  uint64_t calls_ = 0;
};

} // namespace nophook
