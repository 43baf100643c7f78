// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the sub-buffers in use, and checks after each copy that its place was not recycled.

#include "process/drain/held_subbufs.h"

#include "process/drain/cleared_prefix.h"
#include "process/drain/words.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/syscall.h>
#include <tuple>
#include <unistd.h>

namespace nophook {

std::vector<HeldSubbuf> held_subbufs(const SharedBuffer &buffer) {
  std::vector<HeldSubbuf> held;
  for (uint32_t i = 0; i < buffer.subbuf_count(); i++) {
    if (buffer.state(i) == NOPHOOK_SUBBUF_FREE)
      continue;
    const nophook_subbuf *subbuf = buffer.subbuf(i);
    uint64_t seq = __atomic_load_n(&subbuf->seq, __ATOMIC_ACQUIRE);
    HeldSubbuf found = {subbuf->ring, subbuf->tid, seq, i};
    if (found.tid && nophook_is_seq(seq) && found.ring < buffer.ring_count())
      held.push_back(found);
  }
  std::ranges::sort(held, {}, [](const HeldSubbuf &h) { return std::tuple(h.ring, h.tid, h.seq); });
  return held;
}

std::span<const HeldSubbuf> longest_run(std::span<const HeldSubbuf> held) {
  std::span<const HeldSubbuf> longest;
  for (size_t begin = 0, end; begin < held.size(); begin = end) {
    for (end = begin + 1; end < held.size() && held[end].seq == held[end - 1].seq + 1;)
      end++;
    if (end - begin >= longest.size()) // the newest among equally long ones
      longest = held.subspan(begin, end - begin);
  }
  return longest;
}

std::unique_ptr<uint64_t[]> copy_held(const SharedBuffer &buffer, const HeldSubbuf &held,
                                      bool *is_full) {
  auto copy = std::make_unique<uint64_t[]>(NOPHOOK_SUBBUF_BYTES / 8);
  uint32_t before = buffer.state(held.index);
  // If memory was added in the meantime, an event may lie across the end of the old part.
  for (uint64_t had, bytes = 0; had = bytes, (bytes = buffer.memory_bytes(held.index)) > had;) {
    std::memcpy(copy.get(), buffer.subbuf(held.index), bytes);
    __atomic_thread_fence(__ATOMIC_ACQUIRE); // the copy is made before its state is read again
    constexpr uint64_t kHeadWords = NOPHOOK_SUBBUF_HEADER_BYTES / 8;
    fill_holes({copy.get() + kHeadWords, bytes / 8 - kHeadWords},
               reinterpret_cast<const uint64_t *>(buffer.subbuf(held.index)) + kHeadWords);
  }
  uint32_t after = buffer.state(held.index);
  const auto *header = reinterpret_cast<const nophook_subbuf *>(copy.get());
  const nophook_subbuf *now = buffer.subbuf(held.index);
  bool was_left = before == NOPHOOK_SUBBUF_ACTIVE && after == NOPHOOK_SUBBUF_FULL;
  if ((before != after && !was_left) || before == NOPHOOK_SUBBUF_FREE || header->seq != held.seq ||
      now->seq != held.seq || header->tid != held.tid || now->tid != held.tid)
    return nullptr;
  *is_full = before == NOPHOOK_SUBBUF_FULL;
  return copy;
}

bool events_before(const SharedBuffer &buffer, const HeldSubbuf &held, uint64_t *events) {
  uint64_t words[NOPHOOK_BEFORE_WORDS];
  const auto *from = reinterpret_cast<const uint64_t *>(buffer.subbuf(held.index) + 1);
  for (uint32_t i = 0; i < NOPHOOK_BEFORE_WORDS; i++)
    words[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  *events = buffer.events_before(words);
  return __atomic_load_n(&buffer.subbuf(held.index)->seq, __ATOMIC_RELAXED) == held.seq;
}

bool copy_part(const SharedBuffer &buffer, const HeldSubbuf &held, uint32_t from, bool is_gone,
               SubbufPart *part) {
  bool is_full;
  auto copy = copy_held(buffer, held, &is_full);
  if (!copy)
    return false;
  const auto *header = reinterpret_cast<const nophook_subbuf *>(copy.get());
  part->header = *header;
  part->begun = header->time_base;
  part->before =
      buffer.events_before({copy.get() + NOPHOOK_SUBBUF_HEADER_BYTES / 8, NOPHOOK_BEFORE_WORDS});
  part->is_left = is_gone || is_full;
  std::span<const uint64_t> words(copy.get() + NOPHOOK_SUBBUF_HEADER_BYTES / 8, kMaxSubbufUsed / 8);
  words = is_full ? words.first(std::min(header->used, kMaxSubbufUsed) / 8)
                  : words.first(written_words(words));
  if (!is_gone) {
    size_t whole = (size_t)(std::ranges::find(words, uint64_t{0}) - words.begin());
    part->is_left = part->is_left && whole == words.size();
    words = words.first(whole);
  }
  from = std::min<uint32_t>(from, (uint32_t)words.size());
  words_before(&part->header, words.first(from), ~uint64_t{0}); // to describe the others
  words = words.subspan(from);
  part->cleared = buffer.cleared();
  uint64_t cleared = words_before(&part->header, words, part->cleared);
  part->words = words.subspan(cleared);
  part->begin = {held.seq, from + (uint32_t)cleared};
  part->memory = std::move(copy);
  return true;
}

} // namespace nophook
