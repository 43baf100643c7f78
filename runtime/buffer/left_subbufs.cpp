// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves sub-buffers: to readers, or, in a flight recorder, to the threads that come next.
//
// In a flight recorder, other threads take the sub-buffers that a living thread has left. So only
// this thread counts its events, when it leaves them (nophook/buffer.h). A signal handler may fill
// a sub-buffer whose interrupted writer has a slot in it that is still 0. That sub-buffer, and the
// ones behind it, wait for this word: until then they are in no table from which another thread
// could take them.
//
// All of this runs in the slow path of an event, with signals blocked and without a lock.

#include "base/own_identity.h"
#include "buffer/trace_buffer.h"

namespace nophook {
namespace {

constexpr uint64_t kCountShift = 32;

struct LeftEvents {
  uint64_t count = 0;
  bool has_hole = false;
};

// Counts the events and finds the last bases, once for each sub-buffer of 8,000 words. Nearly all
// words are events or payloads, which take 0.6 ns each.
LeftEvents look_at_words(const uint64_t *words, uint64_t count) {
  constexpr uint64_t kOne = uint64_t{1} << NOPHOOK_KIND_SHIFT, kAtOnce = 32;
  constexpr uint64_t kEvents = NOPHOOK_EVENT_FUNCTION * kOne,
                     kPayload = NOPHOOK_EVENT_PAYLOAD * kOne;
  LeftEvents left;
  for (uint64_t i = 0; i < count; i += kAtOnce) {
    const uint64_t some = count - i < kAtOnce ? count - i : kAtOnce;
    uint64_t events = 0, payloads = 0;
    for (uint64_t k = i; k < i + some; k++) {
      events += words[k] - kOne < kEvents;
      payloads += words[k] >= kPayload;
    }
    left.count += events;
    for (uint64_t k = i; events + payloads != some && k < i + some; k++) {
      left.count += (uint64_t)nophook_is_mark(words[k]);
      left.has_hole |= !words[k];
    }
  }
  return left;
}
static_assert(NOPHOOK_EVENT_ENTRY == 1, "an event's kind, less that, is below that of the last");

// The events of a sub-buffer that its owner has left. Cleared ones do not count.
LeftEvents look_at(const Buffer &buffer, const nophook_subbuf *subbuf, uint32_t used) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  const uint64_t count = used / 8;
  const uint64_t cleared = __atomic_load_n(&buffer.header->cleared, __ATOMIC_ACQUIRE);
  uint64_t at = 0;
  if (subbuf->time_base < cleared) {
    nophook_bases bases = {subbuf->time_base, subbuf->sp_base, subbuf->cpu};
    at = nophook_words_before(words, count, cleared, &bases);
  }
  LeftEvents left = look_at_words(words + at, count - at);
  left.has_hole = left.has_hole || (at && look_at_words(words, at).has_hole);
  return left;
}

// The time of the last event, when its base is known.
uint64_t last_time(const nophook_subbuf *subbuf, uint32_t used, uint64_t base) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  for (uint64_t i = used / 8; i-- > 0;)
    if (nophook_is_counted(words[i]))
      return base + (words[i] & ((uint64_t{1} << NOPHOOK_DT_BITS) - 1));
  return base;
}

// The time base in force at the end.
uint64_t last_base(const nophook_subbuf *subbuf, uint32_t used) {
  nophook_bases bases = {subbuf->time_base, subbuf->sp_base, subbuf->cpu};
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  nophook_words_before(words, used / 8, ~uint64_t{0}, &bases);
  return bases.time;
}

void put(Buffer &buffer, uint32_t ring, uint32_t index, uint64_t time) {
  __atomic_fetch_add(&buffer.writers[ring].kept.held, 1, __ATOMIC_RELAXED);
  put_age(buffer.ages, index, time);
  if (__atomic_load_n(&buffer.process->starves, __ATOMIC_RELAXED)) {
    __atomic_store_n(&buffer.process->starves, 0, __ATOMIC_RELAXED);
    tell_freed(buffer);
  }
}

KeptSubbufs &kept_of(Buffer &buffer, uint32_t ring) {
  KeptSubbufs &kept = buffer.writers[ring].kept;
  const uint32_t changes = __atomic_load_n(&buffer.full_changes, __ATOMIC_RELAXED);
  if (kept.changes != changes) {
    kept.newest = kept.waiting = kept.last_waiting = 0;
    kept.changes = changes;
  }
  return kept;
}

void wait_for_event(Buffer &buffer, KeptSubbufs &kept, uint32_t index, uint64_t counted) {
  buffer.waiting[index] = counted << kCountShift;
  if (kept.waiting)
    buffer.waiting[kept.last_waiting - 1] |= index + 1;
  else
    __atomic_store_n(&kept.waiting, index + 1, __ATOMIC_RELAXED);
  kept.last_waiting = index + 1;
}

// Ends the waiting of the sub-buffers at the front whose events are complete; of all of them, if
// the thread is gone.
void end_waiting(Buffer &buffer, uint32_t ring, bool is_gone) {
  KeptSubbufs &kept = kept_of(buffer, ring);
  while (kept.waiting) {
    const uint32_t index = kept.waiting - 1;
    const nophook_subbuf *subbuf = subbuf_at(buffer, index);
    const LeftEvents left = look_at(buffer, subbuf, subbuf->used);
    if (left.has_hole && !is_gone)
      return;
    const uint64_t counted = buffer.waiting[index] >> kCountShift;
    if (left.count > counted) // fewer: some have been cleared in the meantime
      __atomic_fetch_add(&buffer.rings[ring].written, left.count - counted, __ATOMIC_RELAXED);
    __atomic_store_n(&kept.waiting, (uint32_t)buffer.waiting[index], __ATOMIC_RELAXED);
    put(buffer, ring, index, last_time(subbuf, subbuf->used, last_base(subbuf, subbuf->used)));
  }
}

// Leaves the sub-buffer of another thread, which is gone. `tid` is its number: a reader that takes
// the sub-buffer changes that to 0, too, and one of the two gets it.
void leave_for(Buffer &buffer, uint32_t ring, uint64_t active, int32_t tid) {
  Writer &gone = buffer.writers[ring];
  const uint32_t index = __atomic_load_n(&gone.index, __ATOMIC_RELAXED);
  auto *subbuf = reinterpret_cast<nophook_subbuf *>(active);
  int32_t expected = tid;
  if (subbuf != subbuf_at(buffer, index) ||
      __atomic_load_n(&subbuf->ring, __ATOMIC_RELAXED) != ring ||
      !__atomic_compare_exchange_n(&subbuf->tid, &expected, 0, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return;
  if (!__atomic_compare_exchange_n(&gone.subbuf, &active, 0, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED)) {
    __atomic_store_n(&subbuf->tid, tid, __ATOMIC_RELEASE);
    return;
  }
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  uint64_t used = (readable_bytes(buffer, index) - sizeof *subbuf) / 8;
  while (used && !words[used - 1])
    used--;
  used *= 8;
  follow_clears(buffer, &buffer.rings[ring]);
  __atomic_store_n(&subbuf->used, (uint32_t)used, __ATOMIC_RELAXED);
  end_waiting(buffer, ring, true);
  __atomic_fetch_add(&buffer.rings[ring].written, look_at(buffer, subbuf, (uint32_t)used).count,
                     __ATOMIC_RELAXED);
  __atomic_fetch_or(&gone.kept.held, kRingLeft, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.states[index], NOPHOOK_SUBBUF_FULL, __ATOMIC_RELEASE);
  __atomic_store_n(&subbuf->tid, tid, __ATOMIC_RELEASE);
  put(buffer, ring, index, last_time(subbuf, (uint32_t)used, last_base(subbuf, (uint32_t)used)));
}

} // namespace

void end_waiting(Buffer &buffer, uint32_t ring) {
  end_waiting(buffer, ring, false);
}

void leave_subbuf(Buffer &buffer, Writer *w) {
  auto *full = reinterpret_cast<nophook_subbuf *>(w->subbuf);
  const uint32_t index = w->index,
                 used = (uint32_t)(w->pos - w->subbuf - NOPHOOK_SUBBUF_HEADER_BYTES);
  const bool overwrites = buffer_overwrites(buffer);
  __atomic_store_n(&full->used, used, __ATOMIC_RELAXED);
  w->pos = 0;
  __atomic_store_n(&w->limit, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&w->subbuf, 0, __ATOMIC_RELAXED);
  KeptSubbufs &kept = kept_of(buffer, w->ring);
  LeftEvents left;
  if (overwrites) {
    nophook_ring *ring = &buffer.rings[w->ring];
    follow_clears(buffer, ring);
    left = look_at(buffer, full, used);
    __atomic_fetch_add(&ring->written, left.count, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&kept.newest, index + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.states[index], NOPHOOK_SUBBUF_FULL, __ATOMIC_RELEASE);
  if (!overwrites)
    return;
  if (!kept.waiting && !left.has_hole)
    return put(buffer, w->ring, index, last_time(full, used, w->time_base));
  wait_for_event(buffer, kept, index, left.count);
  end_waiting(buffer, w->ring);
}

void leave_for_others(Buffer &buffer, uint32_t own_ring, uint64_t than, uint32_t looks) {
  constexpr uint32_t kTurns = 16;
  LeftRings *rings = buffer.left;
  const uint32_t used = __atomic_load_n(&rings->fresh, __ATOMIC_RELAXED);
  for (uint32_t i = 0; used && looks && i < kTurns; i++) {
    const uint32_t ring = __atomic_fetch_add(&rings->turn, 1, __ATOMIC_RELAXED) % used;
    const uint64_t active = __atomic_load_n(&buffer.writers[ring].subbuf, __ATOMIC_ACQUIRE);
    if (!active || ring == own_ring ||
        __atomic_load_n(&reinterpret_cast<nophook_subbuf *>(active)->time_base, __ATOMIC_RELAXED) >=
            than)
      continue;
    const int32_t tid = __atomic_load_n(&buffer.rings[ring].tid, __ATOMIC_RELAXED);
    if (!tid)
      continue;
    looks--;
    if (is_thread_gone(tid))
      leave_for(buffer, ring, active, tid);
  }
}

void let_go(Buffer &buffer, uint32_t ring) {
  uint32_t *held = &buffer.writers[ring].kept.held, had = __atomic_load_n(held, __ATOMIC_RELAXED);
  // `had` is 0 if a reader has given the ring back in the meantime.
  while (had % kRingLeft && !__atomic_compare_exchange_n(held, &had, had - 1, false,
                                                         __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  if (had == kRingLeft + 1)
    put_left(buffer, ring);
}

void forget_ages(Buffer &buffer) {
  if (!buffer_is_open(buffer) || !buffer.waiting)
    return;
  uint64_t time;
  for (uint32_t i = 0; i < buffer.header->subbuf_used; i++)
    take_age(buffer.ages, i, &time);
  for (uint32_t ring = 0; ring < buffer.left->fresh; ring++)
    __atomic_fetch_and(&buffer.writers[ring].kept.held, kRingLeft, __ATOMIC_RELAXED);
}

bool waits_for_event(const Buffer &buffer, uint32_t ring) {
  const KeptSubbufs &kept = buffer.writers[ring].kept;
  return kept.waiting && kept.changes == __atomic_load_n(&buffer.full_changes, __ATOMIC_RELAXED);
}

bool ring_holds_any(const Buffer &buffer, uint32_t ring) {
  const Writer &writer = buffer.writers[ring];
  return __atomic_load_n(&writer.kept.held, __ATOMIC_ACQUIRE) % kRingLeft ||
         __atomic_load_n(&writer.subbuf, __ATOMIC_ACQUIRE) || waits_for_event(buffer, ring);
}

} // namespace nophook
