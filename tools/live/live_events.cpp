#include "base/process.h"
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/process.h"

#include "base/process.h"
#include "live/live_events.h"

#include "base/process.h"
#include <algorithm>

#include "base/process.h"
namespace nophook {
#include "base/process.h"

#include "base/process.h"
LiveEvents::LiveEvents(SharedBuffer &buffer, Use use) : buffer_(buffer), use_(use) {
#include "base/process.h"
  look();
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
void LiveEvents::look() {
#include "base/process.h"
  std::vector<HeldSubbuf> held = held_subbufs(buffer_);
#include "base/process.h"
  for (size_t i = 0, end; i < held.size(); i = end) {
#include "base/process.h"
    for (end = i + 1;
#include "base/process.h"
         end < held.size() && held[end].ring == held[i].ring && held[end].tid == held[i].tid;)
#include "base/process.h"
      end++;
#include "base/process.h"
    std::unique_ptr<Stream> &stream = streams_[{held[i].ring, held[i].tid}];
#include "base/process.h"
    if (!stream) {
#include "base/process.h"
      stream = std::make_unique<Stream>();
#include "base/process.h"
      stream->ring = held[i].ring;
#include "base/process.h"
      stream->tid = held[i].tid;
#include "base/process.h"
      stream->next = stream->consumed = buffer_.consumed(stream->ring, stream->tid);
#include "base/process.h"
      stream->thread = &merge_.add(std::make_unique<Thread>(
#include "base/process.h"
          (uint32_t)streams_.size(), buffer_.pid(), stream->tid,
#include "base/process.h"
          [this, s = stream.get()](Timeline::Words *words) { return give(s, words); }));
#include "base/process.h"
    }
#include "base/process.h"
    stream->held.assign(held.begin() + (ptrdiff_t)i, held.begin() + (ptrdiff_t)end);
#include "base/process.h"
    stream->at = 0;
#include "base/process.h"
    if (use_ == Use::kLook)
#include "base/process.h"
      copy_all(stream.get());
#include "base/process.h"
  }
#include "base/process.h"
  merge_.look_again();
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
// From the newest to the oldest, until the owner has overtaken us: so there is no gap.
#include "base/process.h"
void LiveEvents::copy_all(Stream *stream) {
#include "base/process.h"
  std::span run = longest_run(stream->held);
#include "base/process.h"
  for (size_t i = run.size(); i-- > 0;) {
#include "base/process.h"
    const HeldSubbuf &held = run[i];
#include "base/process.h"
    SubbufPart part;
#include "base/process.h"
    if (held.seq < stream->next.seq)
#include "base/process.h"
      break;
#include "base/process.h"
    if (copy_part(buffer_, held, held.seq == stream->next.seq ? stream->next.word : 0, false,
#include "base/process.h"
                  &part)) {
#include "base/process.h"
      count(part);
#include "base/process.h"
      stream->copies.push_front(std::move(part));
#include "base/process.h"
    } else if (!stream->copies.empty())
#include "base/process.h"
      break;
#include "base/process.h"
  }
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
bool LiveEvents::next_part(Stream *stream, SubbufPart *part) {
#include "base/process.h"
  if (use_ == Use::kLook) {
#include "base/process.h"
    if (stream->copies.empty())
#include "base/process.h"
      return false;
#include "base/process.h"
    *part = std::move(stream->copies.front());
#include "base/process.h"
    stream->copies.pop_front();
#include "base/process.h"
    return true;
#include "base/process.h"
  }
#include "base/process.h"
  while (stream->at < stream->held.size()) {
#include "base/process.h"
    const HeldSubbuf &held = stream->held[stream->at++];
#include "base/process.h"
    uint32_t from = held.seq == stream->next.seq ? stream->next.word : 0;
#include "base/process.h"
    if (held.seq < stream->next.seq ||
#include "base/process.h"
        !copy_part(buffer_, held, from, stream->is_gone, part)) // overtaken
#include "base/process.h"
      continue;
#include "base/process.h"
    stream->next =
#include "base/process.h"
        part->is_left
#include "base/process.h"
            ? SharedBuffer::Place{held.seq + 1, 0}
#include "base/process.h"
            : SharedBuffer::Place{held.seq, part->begin.word + (uint32_t)part->words.size()};
#include "base/process.h"
    stream->given.push_back(
#include "base/process.h"
        {part->words.data(), part->words.data() + part->words.size(), part->begin});
#include "base/process.h"
    return true;
#include "base/process.h"
  }
#include "base/process.h"
  return false;
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
bool LiveEvents::give(Stream *stream, Timeline::Words *words) {
#include "base/process.h"
  SubbufPart part;
#include "base/process.h"
  do {
#include "base/process.h"
    if (!next_part(stream, &part))
#include "base/process.h"
      return false;
#include "base/process.h"
  } while (part.words.empty());
#include "base/process.h"
  // What was lost before the first event that we see is nothing to us.
#include "base/process.h"
  if (!std::exchange(stream->has_begun, true) && part.begin.word)
#include "base/process.h"
    stream->lost_before = part.header.lost;
#include "base/process.h"
  part.header.lost -= std::min(part.header.lost, stream->lost_before);
#include "base/process.h"
  words->header = part.header;
#include "base/process.h"
  words->words = part.words;
#include "base/process.h"
  words->memory = std::move(part.memory);
#include "base/process.h"
  return true;
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
void LiveEvents::consume(Stream *stream) {
#include "base/process.h"
  const uint64_t *place = stream->thread->place();
#include "base/process.h"
  auto holds_it = [&](const Stream::Given &given) {
#include "base/process.h"
    return place >= given.begin && place <= given.end;
#include "base/process.h"
  };
#include "base/process.h"
  auto given = std::ranges::find_if(stream->given, holds_it);
#include "base/process.h"
  if (given != stream->given.end()) {
#include "base/process.h"
    stream->given.erase(stream->given.begin(), given);
#include "base/process.h"
    const Stream::Given &now = stream->given.front();
#include "base/process.h"
    stream->consumed = {now.place.seq, now.place.word + (uint32_t)(place - now.begin)};
#include "base/process.h"
    // Words behind the last event are none that anyone waits for.
#include "base/process.h"
    if (place == now.end && stream->given.size() == 1)
#include "base/process.h"
      stream->consumed = stream->next;
#include "base/process.h"
  }
#include "base/process.h"
  buffer_.set_consumed(stream->ring, stream->tid, stream->consumed);
#include "base/process.h"
  if (buffer_.overwrites())
#include "base/process.h"
    return; // the owner recycles what it needs
#include "base/process.h"
  bool is_empty = true;
#include "base/process.h"
  for (const HeldSubbuf &held : stream->held) {
#include "base/process.h"
    const nophook_subbuf *subbuf = buffer_.subbuf(held.index);
#include "base/process.h"
    uint32_t state = buffer_.state(held.index);
#include "base/process.h"
    if (state == NOPHOOK_SUBBUF_FREE || subbuf->seq != held.seq || subbuf->tid != stream->tid)
#include "base/process.h"
      continue; // given back before
#include "base/process.h"
    if (held.seq < stream->consumed.seq && (state == NOPHOOK_SUBBUF_FULL || stream->is_gone))
#include "base/process.h"
      buffer_.give_back(held.index);
#include "base/process.h"
    else
#include "base/process.h"
      is_empty = false;
#include "base/process.h"
  }
#include "base/process.h"
  if (stream->is_gone && is_empty && buffer_.ring_tid(stream->ring) == stream->tid)
#include "base/process.h"
    buffer_.give_back_ring(stream->ring, stream->tid);
#include "base/process.h"
  // Then the next look reads around holes, and what was active is left.
#include "base/process.h"
  stream->is_gone =
#include "base/process.h"
      stream->is_gone || (stream->given.size() <= 1 && thread_is_gone(buffer_.pid(), stream->tid));
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
EntryCounts LiveEvents::entries(int cpu) const {
#include "base/process.h"
  EntryCounts entries;
#include "base/process.h"
  for (auto [number, events] : counts_)
#include "base/process.h"
    entries.held += cpu < 0 || number == (uint32_t)cpu ? events : 0;
#include "base/process.h"
  entries.written = entries.held;
#include "base/process.h"
  if (cpu >= 0)
#include "base/process.h"
    return entries;
#include "base/process.h"
  entries.written += buffer_.lost();
#include "base/process.h"
  for (uint32_t ring = 0; ring < buffer_.ring_count(); ring++)
#include "base/process.h"
    if (buffer_.ring_tid(ring))
#include "base/process.h"
      entries.written += buffer_.ring_lost(ring) + buffer_.ring_overwritten(ring);
#include "base/process.h"
  return entries;
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
void LiveEvents::count(const SubbufPart &part) {
#include "base/process.h"
  Decoder decoder;
#include "base/process.h"
  nophook_subbuf header = part.header;
#include "base/process.h"
  header.lost = 0;
#include "base/process.h"
  decoder.begin(header, part.words);
#include "base/process.h"
  for (Event event; decoder.next(&event);)
#include "base/process.h"
    counts_[event.cpu]++;
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
bool LiveEvents::is_current() const {
#include "base/process.h"
  return std::ranges::all_of(streams_, [&](const auto &entry) {
#include "base/process.h"
    const Stream &stream = *entry.second;
#include "base/process.h"
    return buffer_.ring_tid(stream.ring) != stream.tid ||
#include "base/process.h"
           buffer_.consumed(stream.ring, stream.tid) == stream.consumed;
#include "base/process.h"
  });
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
void LiveEvents::consume() {
#include "base/process.h"
  for (auto &[key, stream] : streams_)
#include "base/process.h"
    consume(stream.get());
#include "base/process.h"
}
#include "base/process.h"

#include "base/process.h"
} // namespace nophook
