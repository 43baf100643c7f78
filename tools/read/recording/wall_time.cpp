// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interpolates between two notes of both clocks.

#include "read/recording/wall_time.h"

#include <algorithm>

namespace nophook {

WallTime::WallTime(std::vector<Note> notes) : notes_(std::move(notes)) {
  std::ranges::sort(notes_, {}, &Note::monotonic_ns);
  // Two notes of one moment give no rate.
  auto again = std::ranges::unique(notes_, {}, &Note::monotonic_ns);
  notes_.erase(again.begin(), again.end());
}

uint64_t WallTime::at(uint64_t monotonic_ns) const {
  auto next = std::ranges::upper_bound(notes_, monotonic_ns, {}, &Note::monotonic_ns);
  if (next == notes_.begin())
    return next->realtime_ns - (next->monotonic_ns - monotonic_ns);
  const Note &last = next[-1];
  const uint64_t since = monotonic_ns - last.monotonic_ns;
  if (next == notes_.end())
    return last.realtime_ns + since;
  const double adjusted = (double)(int64_t)(next->realtime_ns - last.realtime_ns) -
                          (double)(next->monotonic_ns - last.monotonic_ns);
  const double part = (double)since / (double)(next->monotonic_ns - last.monotonic_ns);
  return last.realtime_ns + since + (uint64_t)(int64_t)(part * adjusted);
}

int64_t WallTime::monotonic_of(int64_t realtime_ns) const {
  auto later = std::ranges::find_if(
      notes_, [=](const Note &note) { return (int64_t)note.realtime_ns >= realtime_ns; });
  const Note &near = later == notes_.end() ? notes_.back() : *later;
  const int64_t guess = (int64_t)near.monotonic_ns - ((int64_t)near.realtime_ns - realtime_ns);
  if (later == notes_.begin() || later == notes_.end())
    return guess;
  uint64_t low = later[-1].monotonic_ns, high = later->monotonic_ns;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if ((int64_t)at(middle) >= realtime_ns)
      high = middle;
    else
      low = middle + 1;
  }
  return (int64_t)low;
}

} // namespace nophook
