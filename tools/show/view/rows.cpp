// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the level that fits the resolution, and decodes what is longer or later.

#include "show/view/rows.h"

#include "show/view/block_reader.h"
#include "show/view/step_slice.h"

#include <algorithm>
#include <tuple>

namespace nophook {

namespace {

bool overlaps(const Slice &slice, const RowsQuery &query) {
  return slice.depth < query.depths && slice.start < query.to && slice.end() >= query.from;
}

// Calls visit() for the slices of a level that overlap the query's time.
template <class Visit>
void for_each_of_level(RecordingIndex &index, const Level &level, const RowsQuery &query,
                       Visit visit) {
  std::vector<Slice> slices;
  for (const SlicePage &page : level.pages) {
    if (page.first_start >= query.to || page.last_end < query.from)
      continue;
    slices.clear();
    if (!index.read(page, &slices))
      continue;
    for (const Slice &slice : slices)
      if (overlaps(slice, query))
        visit(slice);
  }
  for (const Slice &slice : level.tail)
    if (overlaps(slice, query))
      visit(slice);
  for (const Level::Growing &growing : level.growing)
    if (growing.slice.calls && overlaps(growing.slice, query))
      visit(growing.slice);
}

// Completes calls that are open behind the last decoded block: the finest level has the ends of
// those that are long.
void complete_ends(RecordingIndex &index, const IndexedTrack &track, uint64_t at,
                   std::vector<Slice> *open) {
  if (open->empty() || track.levels.all().empty())
    return;
  RowsQuery query = {.from = at, .to = at + 1};
  for_each_of_level(index, track.levels.all().front(), query, [&](const Slice &slice) {
    for (Slice &call : *open)
      if (slice.is_one() && slice.depth == call.depth && slice.start == call.start)
        call = slice;
  });
}

// Adds the calls that are known from their ends only, and end behind the decoded blocks.
void add_later_ends(RecordingIndex &index, const IndexedTrack &track, uint64_t last,
                    const RowsQuery &query, std::vector<Slice> *slices) {
  if (!track.levels.all().empty())
    for_each_of_level(index, track.levels.all().front(), query, [&](const Slice &slice) {
      if (slice.is_one() && slice.end() > last)
        slices->push_back(slice);
    });
}

std::vector<Slice> decode_slices(RecordingIndex &index, const IndexedStream &stream,
                                 const IndexedTrack &track, BlockRange range,
                                 const RowsQuery &query) {
  std::vector<Slice> slices, open;
  BlockReader reader(index, stream, range.first, range.end);
  ProcessFunctions functions(index.functions(),
                             index.recording().streams().at(stream.stream).process);
  uint64_t last = 0;
  Step step;
  auto take = [&](std::vector<Slice> &into) {
    last = std::max(last, index.time_of(step.tsc));
    if (step.stack != track.stack)
      return;
    auto slice = slice_of(index, step, 0, track.first);
    if (!slice || (&into == &slices && !overlaps(*slice, query)))
      return;
    slice->function = functions.number(step.id);
    into.push_back(*slice);
  };
  while (reader.next(&step))
    take(slices);
  const bool at_end = range.end >= stream.blocks.size() && stream.done;
  if (!at_end && range.end)
    last = std::max(last, stream.blocks[range.end - 1].last);
  while (reader.next_open(&step))
    take(open);
  if (!at_end) {
    for (Slice &call : open) {
      call.flags = (uint8_t)((call.flags & ~Slice::kOpenAtEnd) | Slice::kEndNotRead);
      call.duration = std::max(last, query.to) - call.start;
    }
    complete_ends(index, track, last, &open);
  }
  for (const Slice &call : open)
    if (overlaps(call, query))
      slices.push_back(call);
  if (stream.ends_only && !at_end)
    add_later_ends(index, track, last, query, &slices);
  return slices;
}

} // namespace

size_t Tracks::update() {
  std::lock_guard guard(lock_);
  for (auto &stream : index_.streams()) {
    StreamGuard stream_guard(*stream);
    for (size_t i = 0; i < stream->tracks.size(); i++)
      if (numbers_.try_emplace({stream->stream, i}, places_.size()).second)
        places_.push_back({stream.get(), i});
  }
  return places_.size();
}

std::optional<Tracks::Place> Tracks::at(size_t number) const {
  std::lock_guard guard(lock_);
  if (number >= places_.size())
    return std::nullopt;
  return places_[number];
}

std::vector<Slice> slices_of(RecordingIndex &index, const Tracks::Place &place,
                             const RowsQuery &query, size_t *blocks) {
  StreamGuard guard(*place.stream);
  const IndexedStream &stream = *place.stream;
  const IndexedTrack &track = *stream.tracks[place.track];
  const Level *level = track.levels.for_column(query.column);
  if (!level || level->resolution > query.column) {
    BlockRange range = blocks_between(stream, query.from, query.to);
    if (range.count() <= *blocks) {
      *blocks -= range.count();
      return decode_slices(index, stream, track, range, query);
    }
  }
  std::vector<Slice> slices;
  if (level)
    for_each_of_level(index, *level, query, [&](const Slice &slice) { slices.push_back(slice); });
  return slices;
}

std::vector<Slice> merge_to_columns(std::vector<Slice> slices, uint64_t column) {
  Level level;
  level.resolution = std::max<uint64_t>(column, 1);
  Levels levels(std::vector<Level>{level});
  std::sort(slices.begin(), slices.end(), [](const Slice &a, const Slice &b) {
    return std::tie(a.depth, a.start, a.duration) < std::tie(b.depth, b.start, b.duration);
  });
  for (const Slice &slice : slices)
    levels.add(slice);
  std::vector<Slice> merged;
  levels.finish([&](std::span<const Slice> page) {
    merged.insert(merged.end(), page.begin(), page.end());
    return SlicePage();
  });
  return merged;
}

std::vector<Slice> calls_at(RecordingIndex &index, const Tracks::Place &place, uint64_t time) {
  constexpr size_t kMostBlocks = 256; // most blocks that are searched for the ends
  StreamGuard guard(*place.stream);
  const IndexedStream &stream = *place.stream;
  const IndexedTrack &track = *stream.tracks[place.track];
  const RowsQuery query = {.from = time, .to = time + 1};
  BlockRange range = blocks_between(stream, time, time);
  if (stream.ends_only && !range.count() && range.first < stream.blocks.size())
    range.end = range.first + 1; // a call that is known from its end only may begin in between
  std::map<uint16_t, Slice> by_depth;
  for (size_t blocks = 1; range.count(); blocks *= 4) {
    BlockRange wider = {range.first, std::min(range.end + blocks - 1, stream.blocks.size())};
    by_depth.clear();
    bool all_read = true;
    for (const Slice &slice : decode_slices(index, stream, track, wider, query)) {
      auto [at, is_new] = by_depth.try_emplace(slice.depth, slice);
      if (!is_new && slice.start >= at->second.start)
        at->second = slice;
    }
    for (const auto &[depth, slice] : by_depth)
      all_read &= !(slice.flags & Slice::kEndNotRead);
    if (all_read || wider.count() >= kMostBlocks || wider.end == stream.blocks.size())
      break;
  }
  // A call that has ended at exactly this time is over, if another one begins.
  std::vector<Slice> calls;
  for (const auto &[depth, slice] : by_depth)
    if (slice.end() > time || slice.start == time || depth + size_t{1} == by_depth.size())
      calls.push_back(slice);
  return calls;
}

} // namespace nophook
