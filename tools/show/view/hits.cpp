// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes only blocks whose set of functions has one of those searched for.

#include "show/view/hits.h"

#include "show/view/block_reader.h"
#include "show/view/step_slice.h"

#include <algorithm>

namespace nophook {

namespace {

// In a recording with a threshold, a call is known only from its end. Its start may be in an
// earlier block than its event, so this many more blocks are searched.
constexpr size_t kMoreBlocks = 64;

// The hits of the blocks of one stream, which the caller has locked.
class StreamHits {
public:
  StreamHits(RecordingIndex &index, const IndexedStream &stream, const HitQuery &query,
             const std::map<uint32_t, uint32_t> &threads)
      : index_(index), stream_(stream), query_(query), threads_(threads),
        functions_(index.functions(), index.recording().streams().at(stream.stream).process) {}

  bool may_have(size_t block) {
    if (set_has(block))
      return true;
    // An event that is completed in the next block is in that block's set.
    return block + 1 < stream_.blocks.size() && !stream_.blocks[block + 1].state_bytes &&
           set_has(block + 1);
  }

  template <class Visit> void read(size_t block, Visit visit) {
    BlockReader reader(index_, stream_, block, block + 1);
    Step step;
    while (reader.next(&step)) {
      // Without a state, decoding begins at an earlier block, whose steps are skipped.
      if (index_.time_of(step.tsc) < stream_.blocks[block].first)
        continue;
      if (!step.is_hit())
        continue;
      auto thread = threads_.find(step.stack);
      if (thread != threads_.end() && is_wanted(functions_.number(step.id)))
        visit(Hit{index_.time_of(step.from()), thread->second,
                  std::min<uint32_t>(step.depth, UINT16_MAX)});
    }
  }

private:
  bool is_wanted(uint32_t function) const {
    return std::binary_search(query_.functions.begin(), query_.functions.end(), function);
  }

  bool set_has(size_t block) {
    const IndexedBlock &of = stream_.blocks[block];
    if (!of.offset) // not written yet
      return true;
    std::vector<uint32_t> set;
    return !index_.read(of, nullptr, &set) ||
           std::ranges::any_of(set, [&](uint32_t one) { return is_wanted(one); });
  }

  RecordingIndex &index_;
  const IndexedStream &stream_;
  const HitQuery &query_;
  const std::map<uint32_t, uint32_t> &threads_; // numbers of tracks, by stack
  ProcessFunctions functions_;
};

using Threads = std::map<IndexedStream *, std::map<uint32_t, uint32_t>>;

Threads threads_of(const Tracks &tracks, const HitQuery &query) {
  Threads threads;
  for (uint32_t number : query.threads)
    if (auto place = tracks.at(number)) {
      StreamGuard guard(*place->stream);
      threads[place->stream][place->stream->tracks[place->track]->stack] = number;
    }
  return threads;
}

// Searches the blocks of the stream from `block` on, until no block can have a nearer hit than
// `best`.
void look_forward(StreamHits &hits, const IndexedStream &stream, size_t block, const Hit &place,
                  std::optional<Hit> *best) {
  size_t more = 0;
  for (; block < stream.blocks.size(); block++) {
    if (*best && stream.blocks[block].first > (*best)->at &&
        (!stream.ends_only || more++ >= kMoreBlocks))
      return;
    if (hits.may_have(block))
      hits.read(block, [&](const Hit &hit) {
        if (hit >= place && (!*best || hit < **best))
          *best = hit;
      });
  }
}

void look_back(StreamHits &hits, const IndexedStream &stream, size_t end, const Hit &place,
               std::optional<Hit> *best) {
  auto look = [&](size_t block) {
    if (hits.may_have(block))
      hits.read(block, [&](const Hit &hit) {
        if (hit < place && (!*best || hit > **best))
          *best = hit;
      });
  };
  for (size_t block = end; block-- > 0;) {
    if (*best && stream.blocks[block].last < (*best)->at)
      break;
    look(block);
  }
  if (stream.ends_only)
    for (size_t block = end; block < std::min(end + kMoreBlocks, stream.blocks.size()); block++)
      look(block);
}

} // namespace

std::optional<Hit> next_hit(RecordingIndex &index, const Tracks &tracks, const HitQuery &query,
                            const Hit &place, bool forward) {
  Threads threads = threads_of(tracks, query);
  // The stream with the nearest block that may have a hit comes first: the others may then be
  // skipped.
  struct Start {
    uint64_t nearest;
    IndexedStream *stream;
    size_t block; // forward: the first block; else behind the last one
  };
  std::vector<Start> starts;
  for (const auto &[stream, numbers] : threads) {
    StreamGuard guard(*stream);
    StreamHits hits(index, *stream, query, numbers);
    BlockRange range = forward ? blocks_between(*stream, place.at, UINT64_MAX)
                               : blocks_between(*stream, 0, place.at);
    if (forward) {
      size_t block = range.first;
      while (block < range.end && !hits.may_have(block))
        block++;
      if (block < range.end)
        starts.push_back(
            {stream->ends_only ? place.at : std::max(place.at, stream->blocks[block].first), stream,
             block});
    } else {
      size_t end = range.end;
      while (end > range.first && !hits.may_have(end - 1))
        end--;
      if (stream->ends_only)
        starts.push_back({place.at, stream, range.end});
      else if (end > range.first)
        starts.push_back({std::min(place.at, stream->blocks[end - 1].last), stream, end});
    }
  }
  std::ranges::sort(starts, [&](const Start &a, const Start &b) {
    return forward ? a.nearest < b.nearest : a.nearest > b.nearest;
  });
  std::optional<Hit> best;
  for (const Start &start : starts) {
    if (best && (forward ? start.nearest > best->at : start.nearest < best->at))
      break;
    StreamGuard guard(*start.stream);
    StreamHits hits(index, *start.stream, query, threads[start.stream]);
    if (forward)
      look_forward(hits, *start.stream, start.block, place, &best);
    else
      look_back(hits, *start.stream, start.block, place, &best);
  }
  return best;
}

std::vector<HitSpan> hit_spans(RecordingIndex &index, const Tracks &tracks, const HitQuery &query,
                               uint64_t from, uint64_t to, uint64_t column) {
  std::vector<HitSpan> spans;
  size_t decoded = 0;
  for (const auto &[stream, numbers] : threads_of(tracks, query)) {
    StreamGuard guard(*stream);
    StreamHits hits(index, *stream, query, numbers);
    std::map<uint32_t, HitSpan> open; // by thread
    auto add = [&](const HitSpan &more) {
      auto [at, is_new] = open.try_emplace(more.thread, more);
      HitSpan &last = at->second;
      if (is_new)
        return;
      if (more.first > last.last + column || !more.calls != !last.calls) {
        spans.push_back(last);
        last = more;
      } else {
        last.last = std::max(last.last, more.last);
        last.calls += more.calls;
      }
    };
    BlockRange range = blocks_between(*stream, from, to);
    for (size_t block = range.first; block < range.end; block++) {
      if (!hits.may_have(block))
        continue;
      if (decoded >= kMostBlocksForHits) {
        for (const auto &[stack, number] : numbers)
          add({number, stream->blocks[block].first, stream->blocks[block].last, 0});
        continue;
      }
      decoded++;
      std::vector<Hit> met;
      hits.read(block, [&](const Hit &hit) {
        if (hit.at >= from && hit.at < to)
          met.push_back(hit);
      });
      std::ranges::sort(met);
      for (const Hit &hit : met)
        add({hit.thread, hit.at, hit.at, 1});
    }
    for (const auto &[thread, last] : open)
      spans.push_back(last);
  }
  return spans;
}

} // namespace nophook
