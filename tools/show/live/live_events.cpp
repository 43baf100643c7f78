// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies sub-buffers, finds each ring's position, and gives parts to the merge.

#include "show/live/live_events.h"

#include "process/drain/thread_names.h"
#include "process/drain/words.h"
#include "read/recording/thread_name.h"

#include <algorithm>
#include <cstring>

namespace nophook {

LiveEvents::LiveEvents(SharedBuffer &buffer, Use use) : buffer_(buffer), use_(use) {
  look();
}

void LiveEvents::look() {
  std::vector<HeldSubbuf> held = held_subbufs(buffer_);
  for (size_t i = 0, end; i < held.size(); i = end) {
    for (end = i + 1;
         end < held.size() && held[end].ring == held[i].ring && held[end].tid == held[i].tid;)
      end++;
    std::unique_ptr<Stream> &stream = streams_[{held[i].ring, held[i].tid}];
    bool is_new = !stream;
    if (is_new) {
      stream = std::make_unique<Stream>();
      stream->ring = held[i].ring;
      stream->tid = held[i].tid;
      stream->next = stream->consumed = buffer_.consumed(stream->ring, stream->tid);
      stream->thread = &merge_.add(std::make_unique<Thread>(
          (uint32_t)streams_.size(), buffer_.pid(), stream->tid,
          [this, s = stream.get()](Timeline::Words *words) { return give(s, words); }));
    }
    if (std::string name = name_of_thread(buffer_, stream->tid); !name.empty())
      stream->name = std::move(name);
    stream->held.assign(held.begin() + (ptrdiff_t)i, held.begin() + (ptrdiff_t)end);
    stream->at = 0;
    if (use_ == Use::kLook)
      copy_all(stream.get());
    else if (is_new)
      find_position(stream.get());
  }
  merge_.look_again();
}

// Copies from the newest to the oldest, until the owner overtakes the copy: so there is no gap.
void LiveEvents::copy_all(Stream *stream) {
  std::span run = longest_run(stream->held);
  for (size_t i = 0; i < run.size() && !events_before(buffer_, run[i], &stream->overwritten); i++) {
  }
  for (size_t i = run.size(); i-- > 0;) {
    const HeldSubbuf &held = run[i];
    SubbufPart part;
    if (held.seq < stream->next.seq)
      break;
    if (copy_part(buffer_, held, held.seq == stream->next.seq ? stream->next.word : 0, false,
                  &part)) {
      count(part);
      stream->copies.push_front(std::move(part));
    } else if (!stream->copies.empty())
      break;
  }
}

// Finds the position behind events that others have consumed, or that were overwritten afterwards.
// If nothing is left of the sub-buffers that they had begun, the number of overwritten events since
// then is unknown, and none are reported.
void LiveEvents::find_position(Stream *stream) {
  const SharedBuffer::Place &place = stream->consumed;
  stream->clears = buffer_.header().clears;
  if (place == SharedBuffer::Place{})
    return;
  stream->has_position = !buffer_.counts_written();
  stream->position = stream->has_position ? buffer_.ring_written(stream->ring) : 0;
  for (const HeldSubbuf &held : stream->held) {
    SubbufPart part;
    if (held.seq > place.seq || !copy_part(buffer_, held, 0, false, &part))
      continue;
    size_t words = part.words.size();
    if (held.seq == place.seq)
      words = std::min<size_t>(words, place.word - std::min(place.word, part.begin.word));
    if (buffer_.counts_written())
      stream->position = part.before;
    stream->position += count_words(part.words.first(words)).events;
    stream->has_position = true;
  }
}

// Moves to a part that begins sub-buffer `seq`, or continues in it. If those between are gone,
// `before` events of the ring are in front of it.
void LiveEvents::move_on(Stream *stream, uint64_t seq, uint64_t before, SubbufPart *part) {
  if (buffer_.overwrites() && seq > stream->next.seq && before > stream->position) {
    if (stream->has_position)
      stream->overtaken += before - stream->position;
    stream->position = before;
  }
  stream->has_position = true;
  part->header.lost += stream->overtaken;
  stream->position += count_words(part->words).events;
}

bool LiveEvents::next_part(Stream *stream, SubbufPart *part) {
  if (use_ == Use::kLook) {
    if (stream->copies.empty())
      return false;
    *part = std::move(stream->copies.front());
    stream->copies.pop_front();
    return true;
  }
  while (stream->at < stream->held.size()) {
    const HeldSubbuf &held = stream->held[stream->at++];
    uint32_t from = held.seq == stream->next.seq ? stream->next.word : 0;
    if (uint32_t clears = buffer_.header().clears; stream->clears != clears) {
      stream->clears = clears;
      stream->position = 0;
    }
    uint64_t overwritten = buffer_.ring_written(stream->ring); // for an older writer
    if (held.seq < stream->next.seq ||
        !copy_part(buffer_, held, from, stream->is_gone, part)) // the owner has overtaken the copy
      continue;
    move_on(stream, held.seq, buffer_.counts_written() ? part->before : overwritten, part);
    stream->next =
        part->is_left
            ? SharedBuffer::Place{held.seq + 1, 0}
            : SharedBuffer::Place{held.seq, part->begin.word + (uint32_t)part->words.size()};
    stream->given.push_back(
        {part->words.data(), part->words.data() + part->words.size(), part->begin});
    return true;
  }
  return false;
}

// Gives the next part. For kLook the buffer may be unmapped by now.
bool LiveEvents::give(Stream *stream, Timeline::Words *words) {
  SubbufPart part;
  do {
    if (!next_part(stream, &part))
      return false;
  } while (part.words.empty());
  nophook_subbuf begun = part.header;
  begun.time_base = part.begun;
  begun.lost -= stream->overtaken; // no clearing resets that
  part.header.lost = stream->lost.at(begun, part.cleared) + stream->overtaken;
  // Losses before the first event that this reader sees are not reported.
  if (!std::exchange(stream->has_begun, true) && part.begin.word)
    stream->lost_before = part.header.lost;
  part.header.lost -= std::min(part.header.lost, stream->lost_before);
  words->header = part.header;
  const nophook_buffer &about = buffer_.header();
  if (!stream->name.empty())
    put_thread_name(stream->name, words->header.comm);
  else if (!words->header.comm[0])
    put_thread_name(name_of_program({about.comm, strnlen(about.comm, sizeof about.comm)}),
                    words->header.comm);
  words->words = part.words;
  words->memory = std::move(part.memory);
  return true;
}

void LiveEvents::consume(Stream *stream) {
  const uint64_t *place = stream->thread->place();
  auto holds_it = [&](const Stream::Given &given) {
    return place >= given.begin && place <= given.end;
  };
  auto given = std::ranges::find_if(stream->given, holds_it);
  if (given != stream->given.end()) {
    stream->given.erase(stream->given.begin(), given);
    const Stream::Given &now = stream->given.front();
    stream->consumed = {now.place.seq, now.place.word + (uint32_t)(place - now.begin)};
    // Words behind the last event belong to no event.
    if (place == now.end && stream->given.size() == 1)
      stream->consumed = stream->next;
  }
  buffer_.set_consumed(stream->ring, stream->tid, stream->consumed);
  if (buffer_.overwrites())
    return; // the owner recycles its sub-buffers itself
  bool is_empty = true;
  for (const HeldSubbuf &held : stream->held) {
    const nophook_subbuf *subbuf = buffer_.subbuf(held.index);
    uint32_t state = buffer_.state(held.index);
    if (state == NOPHOOK_SUBBUF_FREE || subbuf->seq != held.seq || subbuf->tid != stream->tid)
      continue; // it was given back before
    if (held.seq < stream->consumed.seq && (state == NOPHOOK_SUBBUF_FULL || stream->is_gone))
      buffer_.give_back(held.index);
    else
      is_empty = false;
  }
  if (stream->is_gone && is_empty && buffer_.ring_tid(stream->ring) == stream->tid)
    buffer_.give_back_ring(stream->ring, stream->tid);
  // Then the next look reads around holes, and the active sub-buffer is left.
  stream->is_gone =
      stream->is_gone || (stream->given.size() <= 1 && buffer_.owner().is_thread_gone(stream->tid));
}

uint64_t LiveEvents::overwritten_of(uint32_t ring) const {
  auto stream = streams_.find({ring, buffer_.ring_tid(ring)});
  return buffer_.counts_written() && stream != streams_.end() && !stream->second->held.empty()
             ? stream->second->overwritten
             : buffer_.ring_written(ring);
}

EntryCounts LiveEvents::entries(int cpu) const {
  EntryCounts entries;
  for (auto [number, events] : counts_)
    entries.held += cpu < 0 || number == (uint32_t)cpu ? events : 0;
  entries.written = entries.held;
  if (cpu >= 0)
    return entries;
  entries.written += buffer_.lost();
  for (uint32_t ring = 0; ring < buffer_.ring_count(); ring++)
    if (buffer_.ring_tid(ring))
      entries.written += buffer_.ring_lost(ring) + overwritten_of(ring);
  return entries;
}

void LiveEvents::count(const SubbufPart &part) {
  Decoder decoder;
  nophook_subbuf header = part.header;
  header.lost = 0;
  decoder.begin(header, part.words);
  for (Event event; decoder.next(&event);)
    counts_[event.cpu] += event.kind != kEventEnd && event.kind != kEventOpen;
}

bool LiveEvents::is_current() const {
  return std::ranges::all_of(streams_, [&](const auto &entry) {
    const Stream &stream = *entry.second;
    return buffer_.ring_tid(stream.ring) != stream.tid ||
           buffer_.consumed(stream.ring, stream.tid) == stream.consumed;
  });
}

void LiveEvents::consume() {
  for (auto &[key, stream] : streams_)
    consume(stream.get());
}

} // namespace nophook
