// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds each call to the finest level, and merged slices to the next one.

#include "show/view/levels.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr uint64_t kColumns = 512; // fewest columns of the coarsest level

// The number of added slices after which the slices that cannot grow any more are completed.
constexpr uint64_t kFlushEvery = 256;

// The time that calls fill, times 255.
uint64_t fill(const Slice &slice) {
  return slice.duration * slice.busy;
}

} // namespace

Levels::Levels(uint64_t duration) {
  uint64_t resolution = kFinest;
  do {
    levels_.emplace_back().resolution = resolution;
    resolution <<= kFactorBits;
  } while (resolution / 4 * kColumns < duration && levels_.size() < 24);
}

void Levels::complete(size_t level, const Slice &slice, uint64_t longest) {
  levels_[level].tail.push_back(slice);
  levels_[level].slices++;
  if (level + 1 < levels_.size())
    add_to(level + 1, slice, longest);
}

void Levels::complete(size_t level, Level::Growing &growing) {
  Slice done = growing.slice;
  growing.slice.calls = 0;
  complete(level, done, growing.longest);
}

// Completes the slices whose interval ends before the time `before`.
void Levels::flush(size_t level, uint64_t before) {
  const uint64_t resolution = levels_[level].resolution;
  for (Level::Growing &growing : levels_[level].growing)
    if (growing.slice.calls && before > growing.from && before - growing.from >= resolution)
      complete(level, growing);
}

void Levels::add_to(size_t number, const Slice &slice, uint64_t longest) {
  Level &level = levels_[number];
  if (level.growing.size() <= slice.depth)
    level.growing.resize(slice.depth + size_t{1});
  if (++level.added % kFlushEvery == 0)
    flush(number, slice.start);
  Level::Growing &growing = level.growing[slice.depth];
  Slice &into = growing.slice;
  bool alone = slice.is_one() && slice.duration >= level.resolution;
  if (into.calls && (alone || slice.start - growing.from >= level.resolution))
    complete(number, growing);
  if (alone)
    return complete(number, slice, longest);
  if (!into.calls) {
    growing = {slice, longest, slice.start - slice.start % level.resolution};
    return;
  }
  uint64_t filled = fill(into) + fill(slice);
  uint64_t end = std::max(into.end(), slice.end());
  if (longest > growing.longest) {
    growing.longest = longest;
    into.function = slice.function;
  }
  into.start = std::min(into.start, slice.start);
  into.duration = end - into.start;
  into.calls += slice.calls;
  into.flags = (uint8_t)((into.flags | slice.flags) & ~Slice::kOneCall);
  into.busy = into.duration ? (uint8_t)std::min<uint64_t>(255, filled / into.duration) : 255;
}

// Drops the finest level. The level above gets the calls directly from now on.
void Levels::drop_finest() {
  flush(0, ~uint64_t{0});
  levels_.erase(levels_.begin());
}

void Levels::add(const Slice &call) {
  calls_++;
  add_to(0, call, call.duration);
  while (levels_.size() > 1 && levels_[0].slices > kFreeSlices + calls_ / kCallsPerSlice)
    drop_finest();
}

void Levels::spill(const WritePage &write) {
  for (Level &level : levels_) {
    if (level.tail.size() < kSpillSlices)
      continue;
    size_t pages = level.tail.size() / kPageSlices;
    for (size_t i = 0; i < pages; i++)
      level.pages.push_back(write({level.tail.data() + i * kPageSlices, kPageSlices}));
    level.tail.erase(level.tail.begin(), level.tail.begin() + (ptrdiff_t)(pages * kPageSlices));
  }
}

void Levels::finish(const WritePage &write) {
  for (size_t i = 0; i < levels_.size(); i++)
    flush(i, ~uint64_t{0});
  for (Level &level : levels_) {
    for (size_t at = 0; at < level.tail.size(); at += kPageSlices)
      level.pages.push_back(
          write({level.tail.data() + at, std::min(kPageSlices, level.tail.size() - at)}));
    level.tail = {};
    level.growing = {};
  }
}

const Level *Levels::for_column(uint64_t column) const {
  const Level *found = levels_.empty() ? nullptr : &levels_.front();
  for (const Level &level : levels_)
    if (level.resolution <= column)
      found = &level;
  return found;
}

} // namespace nophook
