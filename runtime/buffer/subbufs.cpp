// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the next sub-buffer for a thread: a free one, or, if the buffer overwrites, the oldest of
// its own. The states, and what may change each: include/nophook/buffer.h.
//
// In the slow path of an event, signals blocked; against other threads only the compare-and-
// exchange on a state.

#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "buffer/trace_buffer.h"

#include <errno.h>

namespace nophook {

namespace {

// Takes the memory of the first `bytes` of a sub-buffer, if it has not been taken yet. A thread
// that writes little, as most fork children do, pays for one page, where all 16 are 25 us.
bool back(Buffer &buffer, uint32_t index, uint64_t bytes) {
  uint64_t had = backed_bytes(buffer, index);
  if (had >= bytes)
    return true;
  long result = sys(SYS_madvise, reinterpret_cast<char *>(subbuf_at(buffer, index)) + had,
                    bytes - had, MADV_POPULATE_WRITE);
  if (sys_failed(result)) {
    if (__atomic_exchange_n(&buffer.header->error, 1, __ATOMIC_RELAXED) == 0)
      log_line("the file system of buffer_dir is full: events are lost");
    return false;
  }
  set_backed(buffer, index, bytes);
  return true;
}

// Takes the lowest free sub-buffer below `end`, so that sub-buffers that a reader keeps giving back
// stay in the cache. If none of the mapped ones is free, more are mapped. In a full buffer the
// search does not check all of them: a sub-buffer that was in use when `freed` was read is in use
// until `freed` has grown. (A reader may be killed before it adds to `freed`: `anew` checks all.)
uint32_t take_free(Buffer &buffer, uint32_t end, bool anew) {
  uint64_t *free_from = &buffer.process->free_from;
  uint64_t freed = __atomic_load_n(&buffer.header->freed, __ATOMIC_ACQUIRE);
  uint64_t known = __atomic_load_n(free_from, __ATOMIC_RELAXED);
  uint32_t begin = known >> 32 == freed && !anew ? (uint32_t)known : 0, i = begin;
  for (uint32_t mapped = mapped_subbufs(buffer); i < end; mapped = mapped_subbufs(buffer)) {
    for (; i < end && i < mapped; i++) {
      uint32_t free = NOPHOOK_SUBBUF_FREE;
      if (__atomic_load_n(&buffer.states[i], __ATOMIC_RELAXED) != free ||
          !__atomic_compare_exchange_n(&buffer.states[i], &free, NOPHOOK_SUBBUF_ACTIVE, false,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        continue;
      if (back(buffer, i, NOPHOOK_SUBBUF_FIRST_BYTES)) {
        __atomic_store_n(free_from, freed << 32 | (i + 1), __ATOMIC_RELAXED);
        return i;
      }
      __atomic_store_n(&buffer.states[i], NOPHOOK_SUBBUF_FREE, __ATOMIC_RELEASE);
      return kNoSubbuf;
    }
    if (i < end && !map_next_segment(buffer, mapped))
      break;
  }
  if (i > begin)
    __atomic_store_n(free_from, freed << 32 | i, __ATOMIC_RELAXED);
  return kNoSubbuf;
}

// The own ring's. Nothing from before the last change of `full` is left to recycle.
Chain &own_chain(Buffer &buffer, uint32_t ring) {
  Chain &chain = buffer.writers[ring].chain;
  uint32_t changes = __atomic_load_n(&buffer.full_changes, __ATOMIC_RELAXED);
  if (chain.changes != changes)
    empty_chain(chain, changes);
  return chain;
}

uint64_t *words_of(nophook_subbuf *subbuf) {
  return reinterpret_cast<uint64_t *>(subbuf + 1);
}

struct Left {
  nophook_subbuf *subbuf; // null: none
  uint32_t index;
  uint32_t ring;
  int32_t tid;
  uint32_t used;
  uint64_t time_base;
};

// Begins a sub-buffer again. Its events are first announced as gone, for readers that are copying
// them; then they are counted as overwritten, and zeroed. The announcement includes the count,
// because the process may be killed before the next store, which waits while a file system writes
// the ring's page out. Behind `used` all words are 0. A `used` of 0 comes from a reader that was
// killed while it zeroed the sub-buffer.
__attribute__((noinline)) void empty(Buffer &buffer, const Left &left) {
  const uint64_t most = readable_bytes(buffer, left.index) - sizeof(nophook_subbuf);
  nophook_subbuf *subbuf = left.subbuf;
  nophook_ring *ring = &buffer.rings[left.ring];
  follow_clears(buffer, ring);
  uint64_t events = count_events(buffer, subbuf, left.used < most ? left.used : most);
  uint64_t overwritten = __atomic_load_n(&ring->overwritten, __ATOMIC_RELAXED) + events;
  __atomic_store_n(&subbuf->seq, NOPHOOK_SEQ_NONE | overwritten, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_fetch_add(&ring->overwritten, events, __ATOMIC_RELAXED);
  uint64_t *words = words_of(subbuf), bytes = left.used && left.used < most ? left.used : most;
  for (uint64_t i = 0; i < bytes / 8; i++)
    __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
}

// The oldest sub-buffer of another thread's ring; the last one is that which the thread has not
// left. None if all of them are gone from the ring.
Left oldest_left(const Buffer &buffer, uint32_t ring) {
  constexpr uint32_t kAll = NOPHOOK_SUBBUF_BYTES;
  uint32_t oldest = oldest_of(buffer, ring);
  uint64_t active = __atomic_load_n(&buffer.writers[ring].subbuf, __ATOMIC_ACQUIRE);
  int32_t tid = __atomic_load_n(&buffer.rings[ring].tid, __ATOMIC_RELAXED);
  if ((!oldest && !active) || !tid)
    return {};
  uint32_t index =
      oldest ? oldest - 1 : __atomic_load_n(&buffer.writers[ring].index, __ATOMIC_RELAXED);
  nophook_subbuf *found = subbuf_at(buffer, index);
  return __atomic_load_n(&found->tid, __ATOMIC_RELAXED) == tid &&
                 __atomic_load_n(&found->ring, __ATOMIC_RELAXED) == ring
             ? Left{found,
                    index,
                    ring,
                    tid,
                    oldest ? __atomic_load_n(&found->used, __ATOMIC_RELAXED) : kAll,
                    __atomic_load_n(&found->time_base, __ATOMIC_RELAXED)}
             : Left{};
}

// The writer, or the reader giving back, that changes the tid of such a sub-buffer to 0 gets it.
bool claim_left(Buffer &buffer, Left left) {
  auto active = reinterpret_cast<uint64_t>(left.subbuf);
  uint32_t next = buffer.next[left.index], in_chain = left.index + 1;
  if (!__atomic_compare_exchange_n(&left.subbuf->tid, &left.tid, 0, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return false;
  if (!__atomic_compare_exchange_n(&buffer.writers[left.ring].chain.oldest, &in_chain, next, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    __atomic_compare_exchange_n(&buffer.writers[left.ring].subbuf, &active, 0, false,
                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.states[left.index], (uint32_t)NOPHOOK_SUBBUF_ACTIVE, __ATOMIC_RELEASE);
  return true;
}

// Takes the oldest sub-buffer of a ring if its thread is gone. What it was before that was proven
// may have changed since.
Left take_from(Buffer &buffer, Left found) {
  if (!is_thread_gone(found.tid))
    return {};
  found = oldest_left(buffer, found.ring);
  return found.subbuf && claim_left(buffer, found) ? found : Left{};
}

// A sub-buffer of the thread that has ended first and has some left. No other writer has its ring
// during that time. It goes back to the place where all threads look first.
Left take_told(Buffer &buffer, uint64_t than, uint32_t looks) {
  constexpr uint32_t kGivenAll = 16; // rings without anything are no looks, but not for ever
  LeftRings *rings = buffer.left;
  for (uint32_t i = 0; looks && i < kGivenAll; i++) {
    uint32_t ring = __atomic_exchange_n(&rings->oldest, 0, __ATOMIC_ACQ_REL) - 1;
    if (ring == kNoPlace)
      ring = pop_left(buffer, &buffer.left_queues->holding);
    if (ring == kNoPlace)
      return {};
    Left found = oldest_left(buffer, ring);
    bool is_late = found.subbuf && found.time_base >= than;
    bool is_asked = found.subbuf && !is_late;
    Left taken = is_asked ? take_from(buffer, found) : Left{};
    looks -= is_asked;
    uint32_t nobody = 0;
    bool may_live = is_asked && !taken.subbuf;
    if (may_live || !oldest_left(buffer, ring).subbuf ||
        !__atomic_compare_exchange_n(&rings->oldest, &nobody, ring + 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      put_left(buffer, ring);
    if (taken.subbuf || is_late)
      return taken;
  }
  return {};
}

// The same for threads that have ended without giving their rings back. Rings are looked at in
// turns, and the threads of at most `looks` of them are asked for.
Left take_untold(Buffer &buffer, uint64_t than, uint32_t looks) {
  constexpr uint32_t kTurns = 16;
  LeftRings *rings = buffer.left;
  uint32_t used = __atomic_load_n(&rings->fresh, __ATOMIC_RELAXED);
  for (uint32_t i = 0; used && looks && i < kTurns; i++) {
    uint32_t ring = __atomic_fetch_add(&rings->turn, 1, __ATOMIC_RELAXED) % used;
    if (__atomic_load_n(&buffer.left_queues->is_left[ring], __ATOMIC_RELAXED))
      continue;
    Left found = oldest_left(buffer, ring);
    if (!found.subbuf || found.time_base >= than)
      continue;
    looks--;
    found = take_from(buffer, found);
    if (found.subbuf) {
      put_left(buffer, ring);
      return found;
    }
  }
  return {};
}

// What a thread that is gone has left, if it is older than `than`. One thread is asked for; several
// by a writer that has nothing else.
__attribute__((noinline)) Left take_left(Buffer &buffer, uint64_t than, bool has_own) {
  Left told = take_told(buffer, than, has_own ? 1 : 4);
  return told.subbuf ? told : take_untold(buffer, than, has_own ? 1 : 16);
}

// The ring's oldest sub-buffer. None if an event in it is not complete: then we are in a
// signal handler that has filled everything, and the writer below will still come back to it.
__attribute__((noinline)) Left recycle(Buffer &buffer, Writer *w) {
  Chain &chain = own_chain(buffer, w->ring);
  if (!chain.oldest)
    return {};
  uint32_t index = chain.oldest - 1;
  nophook_subbuf *oldest = subbuf_at(buffer, index);
  const uint64_t *words = words_of(oldest);
  for (uint64_t i = 0; i < oldest->used / 8; i++)
    if (words[i] == 0)
      return {};
  uint32_t full = NOPHOOK_SUBBUF_FULL;
  if (!__atomic_compare_exchange_n(&buffer.states[index], &full, NOPHOOK_SUBBUF_ACTIVE, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return {};
  __atomic_store_n(&chain.oldest, buffer.next[index], __ATOMIC_RELEASE); // with oldest_of()
  return {oldest, index, w->ring, 0, oldest->used, oldest->time_base};
}

__attribute__((noinline)) uint32_t overwrite_oldest(Buffer &buffer, Writer *w) {
  const Chain &chain = own_chain(buffer, w->ring);
  Left old = take_left(buffer,
                       chain.oldest ? subbuf_at(buffer, chain.oldest - 1)->time_base : ~uint64_t{0},
                       chain.oldest);
  if (!old.subbuf)
    old = recycle(buffer, w);
  if (!old.subbuf)
    return kNoSubbuf;
  empty(buffer, old);
  return old.index;
}

} // namespace

bool back_whole(Buffer &buffer, uint32_t index) {
  return back(buffer, index, NOPHOOK_SUBBUF_BYTES);
}

// A ring that overwrites and has two full sub-buffers leaves the last quarter to others: threads
// that begin late find room. What it takes back and lies beyond the buffer's size it gives up; but
// the last one it has, or it could not write at all.
uint32_t next_subbuf(Buffer &buffer, Writer *w) {
  uint32_t count = __atomic_load_n(&buffer.most, __ATOMIC_RELAXED);
  bool overwrites = buffer_overwrites(buffer);
  const Chain &chain = own_chain(buffer, w->ring);
  uint32_t found = kNoSubbuf;
  for (;;) {
    bool is_rich = overwrites && chain.oldest != chain.newest;
    found = take_free(buffer, is_rich ? count - count / 4 : count, w->full_at);
    if (found != kNoSubbuf || !overwrites)
      break;
    found = overwrite_oldest(buffer, w);
    if (found == kNoSubbuf || found < count || !chain.oldest)
      break;
    release_subbuf(buffer, found);
  }
  if (found != kNoSubbuf && buffer.gave_up_waiting)
    __atomic_store_n(&buffer.gave_up_waiting, 0, __ATOMIC_RELAXED);
  return found;
}

void leave_subbuf(Buffer &buffer, Writer *w) {
  auto *full = reinterpret_cast<nophook_subbuf *>(w->subbuf);
  __atomic_store_n(&full->used, (uint32_t)(w->pos - w->subbuf - NOPHOOK_SUBBUF_HEADER_BYTES),
                   __ATOMIC_RELAXED);
  uint32_t index = w->index;
  w->pos = 0;
  __atomic_store_n(&w->limit, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&w->subbuf, 0, __ATOMIC_RELAXED);
  Chain &chain = own_chain(buffer, w->ring);
  if (buffer_overwrites(buffer)) {
    buffer.next[index] = 0;
    if (chain.oldest)
      buffer.next[chain.newest - 1] = index + 1;
    else
      __atomic_store_n(&chain.oldest, index + 1, __ATOMIC_RELEASE); // with oldest_of(): `used`
  }
  __atomic_store_n(&chain.newest, index + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.states[index], NOPHOOK_SUBBUF_FULL, __ATOMIC_RELEASE);
}

} // namespace nophook
