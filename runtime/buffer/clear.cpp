// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clears a buffer while threads write to it. The threads cannot be stopped, and a sub-buffer cannot
// be taken from a thread that may be in the middle of an event. So clearing stores a time, and
// readers leave out older events (nophook/buffer.h). Only sub-buffers that their owners have left
// are given back.

#include "base/bytes.h"
#include "base/memory.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"

#include <fcntl.h>
#include <sys/file.h>

namespace nophook {
namespace {

constexpr uint64_t kLockAtOnce = LOCK_EX | LOCK_NB;

nophook_bases bases_of(const nophook_subbuf *subbuf) {
  return {subbuf->time_base, subbuf->sp_base, subbuf->cpu};
}

// A word that is 0 belongs to an event whose writer was interrupted, and comes back to it.
bool is_over(const Buffer &buffer, const nophook_subbuf *subbuf) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  uint64_t count = subbuf->used / 8;
  for (uint64_t i = 0; i < count; i++)
    if (!words[i])
      return false;
  nophook_bases bases = bases_of(subbuf);
  return nophook_words_before(words, count, buffer.header->cleared, &bases) == count;
}

void give_back(Buffer &buffer, uint32_t index, nophook_subbuf *subbuf) {
  __atomic_store_n(&subbuf->used, 0, __ATOMIC_RELEASE); // first: see nophook/buffer.h
  auto *words = reinterpret_cast<uint64_t *>(subbuf);
  const uint64_t bytes = readable_bytes(buffer, index);
  for (uint64_t i = 0; i < bytes / 8; i++)
    __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.states[index], (uint32_t)NOPHOOK_SUBBUF_FREE, __ATOMIC_RELEASE);
  tell_freed(buffer);
}

void give_back_all(Buffer &buffer) {
  for (uint32_t i = 0; i < buffer.header->subbuf_used; i++)
    if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) == NOPHOOK_SUBBUF_FULL &&
        is_over(buffer, subbuf_at(buffer, i)))
      give_back(buffer, i, subbuf_at(buffer, i));
}

} // namespace

ReaderLock::ReaderLock(const Buffer &buffer) {
  Text<672> path;
  path.add(buffer.maps_path, text_length(buffer.maps_path) - text_length(".maps")).add(".buf");
  file_ = sys(SYS_openat, AT_FDCWD, path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  is_ours_ = !sys_failed(file_) && !sys_failed(sys(SYS_flock, file_, kLockAtOnce));
}

ReaderLock::~ReaderLock() {
  if (sys_failed(file_))
    return;
  sys(SYS_flock, file_, LOCK_UN); // a child that was forked since then has the file open, too
  sys(SYS_close, file_);
}

bool with_reader_lock(Buffer &buffer, void (*act)(Buffer &)) {
  ReaderLock lock(buffer);
  if (lock.is_ours())
    act(buffer);
  return lock.is_ours();
}

void tell_cleared(Buffer &buffer) {
  nophook_buffer *header = buffer.header;
  bool is_counter = clock_kind(buffer.clock) == NOPHOOK_CLOCK_COUNTER;
  uint64_t now = clock_peek(buffer.clock) + is_counter; // the last event's own number
  uint64_t had = __atomic_load_n(&header->cleared, __ATOMIC_RELAXED);
  while (had < now && !__atomic_compare_exchange_n(&header->cleared, &had, now, false,
                                                   __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  uint64_t lost = __atomic_load_n(&header->lost, __ATOMIC_RELAXED);
  uint64_t overwritten = __atomic_load_n(&header->overwritten, __ATOMIC_RELAXED);
  __atomic_fetch_add(&header->clears, 1, __ATOMIC_RELEASE);
  __atomic_fetch_sub(&header->lost, lost, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&header->overwritten, overwritten, __ATOMIC_RELAXED);
  if (header->tracer_off)
    header->tracer = NOPHOOK_EVENT_NONE; // nothing is left of it
}

void buffer_clear(Buffer &buffer) {
  if (!buffer_is_open(buffer))
    return;
  tell_cleared(buffer);
  if (!buffer_overwrites(buffer)) // there rings recycle what they hold
    with_reader_lock(buffer, give_back_all);
}

// Another writer may be about to overwrite it. The one that takes it out of the table of ages gets
// it; if it is in none, the one that changes the state.
void take_back_cleared(Buffer &buffer) {
  for (uint32_t i = 0; i < buffer.header->subbuf_used; i++) {
    uint32_t full = NOPHOOK_SUBBUF_FULL;
    if (uint64_t time; buffer.waiting && take_age(buffer.ages, i, &time)) {
      nophook_subbuf *old = subbuf_at(buffer, i);
      const uint32_t ring = old->ring;
      if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) != full || !is_over(buffer, old)) {
        put_age(buffer.ages, i, time);
        continue;
      }
      give_back(buffer, i, old);
      let_go(buffer, ring);
      continue;
    }
    if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) != full)
      continue;
    nophook_subbuf *subbuf = subbuf_at(buffer, i);
    int32_t tid = __atomic_load_n(&subbuf->tid, __ATOMIC_RELAXED);
    if (!tid || !__atomic_compare_exchange_n(&buffer.states[i], &full, NOPHOOK_SUBBUF_ACTIVE, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    if (!is_over(buffer, subbuf))
      __atomic_store_n(&buffer.states[i], (uint32_t)NOPHOOK_SUBBUF_FULL, __ATOMIC_RELEASE);
    else if (__atomic_compare_exchange_n(&subbuf->tid, &tid, 0, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
      give_back(buffer, i, subbuf);
  }
}

void buffer_begin_anew(Buffer &buffer) {
  nophook_buffer *header = buffer.header;
  if (!header || !__atomic_load_n(&header->stop, __ATOMIC_RELAXED))
    return;
  buffer_clear(buffer);
  __atomic_store_n(&header->error, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&header->stop, 0, __ATOMIC_RELEASE);
}

// If several threads see it at once, one of them subtracts what was counted before. Events added in
// the meantime stay.
void follow_clears(const Buffer &buffer, nophook_ring *ring) {
  uint32_t clears = __atomic_load_n(&buffer.header->clears, __ATOMIC_ACQUIRE);
  uint32_t had = __atomic_load_n(&ring->clears, __ATOMIC_RELAXED);
  if (had == clears)
    return;
  uint64_t lost = __atomic_load_n(&ring->lost, __ATOMIC_RELAXED);
  uint64_t written = __atomic_load_n(&ring->written, __ATOMIC_RELAXED);
  if (!__atomic_compare_exchange_n(&ring->clears, &had, clears, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return;
  __atomic_fetch_sub(&ring->lost, lost, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&ring->written, written, __ATOMIC_RELAXED);
}

uint64_t count_events(const Buffer &buffer, const nophook_subbuf *subbuf, uint64_t bytes) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  uint64_t cleared = __atomic_load_n(&buffer.header->cleared, __ATOMIC_ACQUIRE);
  uint64_t at = 0, events = 0;
  if (subbuf->time_base < cleared) {
    nophook_bases bases = bases_of(subbuf);
    at = nophook_words_before(words, bytes / 8, cleared, &bases);
  }
  for (; at < bytes / 8; at++)
    events += (uint64_t)nophook_is_counted(words[at]);
  return events;
}

} // namespace nophook
