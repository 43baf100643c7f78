// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a ring for a thread. A recorder gives rings back. Without one, a process could trace only
// 8192 threads in its life. So a new thread takes over the ring of a thread that is gone, if none
// of its events are left. Both take a ring by a CAS on the `tid`.

#include "base/memory.h"
#include "base/own_identity.h"
#include "base/signals.h"
#include "base/take_pages.h"
#include "buffer/left_rings.h"
#include "buffer/own_rings.h"
#include "buffer/trace_buffer.h"

namespace nophook {
namespace {

constexpr uint32_t kLooks = 4;
constexpr uint32_t kTurns = 16;

void begin(Buffer &buffer, uint32_t index) {
  nophook_ring &ring = buffer.rings[index];
  ring.subbufs = 0;
  ring.lost = 0;
  ring.consumed = 0;
  ring.written = 0;
  ring.clears = buffer.header->clears;
  __atomic_store_n(&buffer.writers[index].kept.held, 0, __ATOMIC_RELAXED);
}

// Whether the newest sub-buffer that the thread has written to is still in the buffer. If so, there
// is no reader, and the others need no look.
bool holds_newest(const Buffer &buffer, uint32_t ring, int32_t tid) {
  if (buffer_overwrites(buffer))
    return ring_holds_any(buffer, ring);
  uint64_t active = __atomic_load_n(&buffer.writers[ring].subbuf, __ATOMIC_ACQUIRE);
  uint32_t newest = __atomic_load_n(&buffer.writers[ring].kept.newest, __ATOMIC_RELAXED);
  const nophook_subbuf *subbuf = active   ? reinterpret_cast<const nophook_subbuf *>(active)
                                 : newest ? subbuf_at(buffer, newest - 1)
                                          : nullptr;
  return subbuf && subbuf->ring == ring && subbuf->tid == tid;
}

// Whether there is a sub-buffer that the thread has written to.
bool holds_any(const Buffer &buffer, uint32_t ring, int32_t tid) {
  if (buffer_overwrites(buffer))
    return ring_holds_any(buffer, ring);
  if (!__atomic_load_n(&buffer.rings[ring].subbufs, __ATOMIC_ACQUIRE))
    return false;
  for (uint32_t i = 0; i < buffer.header->subbuf_used; i++) {
    const nophook_subbuf *subbuf = subbuf_at(buffer, i);
    if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) != NOPHOOK_SUBBUF_FREE &&
        subbuf->ring == ring && subbuf->tid == tid)
      return true;
  }
  return false;
}

// Keeps the counts of a thread that is gone: its losses, and its written events, of which none is
// left.
void keep_counts(Buffer &buffer, nophook_ring *ring) {
  follow_clears(buffer, ring);
  __atomic_fetch_add(&buffer.header->lost, ring->lost, __ATOMIC_RELAXED);
  __atomic_fetch_add(&buffer.header->overwritten, ring->written, __ATOMIC_RELAXED);
}

bool take(Buffer &buffer, uint32_t index, int32_t tid) {
  nophook_ring *ring = &buffer.rings[index];
  int32_t before = __atomic_load_n(&ring->tid, __ATOMIC_RELAXED);
  if (before && (holds_newest(buffer, index, before) || !is_thread_gone(before) ||
                 holds_any(buffer, index, before)))
    return false;
  if (!__atomic_compare_exchange_n(&ring->tid, &before, tid, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return false;
  if (before)
    keep_counts(buffer, ring);
  begin(buffer, index);
  return true;
}

// Takes a ring from the queue, the one that was left first among some.
uint32_t take_ended(Buffer &buffer, int32_t tid) {
  for (uint32_t look = 0; look < kLooks; look++) {
    uint32_t ring = pop_left(buffer);
    if (ring == kNoPlace || take(buffer, ring, tid))
      return ring;
    put_left(buffer, ring);
  }
  return kNoPlace;
}

// Takes the memory of rings up to this one, a page at a time. False: the file system has no room.
bool back_rings(Buffer &buffer, uint32_t ring) {
  constexpr uint32_t kOfPage = kPageBytes / sizeof(nophook_ring);
  uint32_t *used = &buffer.ring_used;
  for (uint32_t had; (had = __atomic_load_n(used, __ATOMIC_ACQUIRE)) <= ring;) {
    if (sys_failed(take_pages(reinterpret_cast<char *>(&buffer.rings[had]), kPageBytes)))
      return false;
    if (__atomic_compare_exchange_n(used, &had, had + kOfPage, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      __atomic_store_n(&buffer.header->ring_used, had + kOfPage, __ATOMIC_RELEASE);
  }
  return true;
}

uint32_t take_fresh(Buffer &buffer, int32_t tid) {
  uint32_t *fresh = &buffer.left->fresh;
  uint32_t ring = __atomic_load_n(fresh, __ATOMIC_RELAXED);
  while (ring < kRingCount && back_rings(buffer, ring))
    if (__atomic_compare_exchange_n(fresh, &ring, ring + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return take(buffer, ring, tid) ? ring : kNoPlace;
  return kNoPlace;
}

// Takes a ring of a thread that has ended without giving it back, or a ring that a reader has given
// back.
uint32_t take_by_turns(Buffer &buffer, int32_t tid) {
  for (uint32_t look = 0; look < kTurns; look++) {
    uint32_t ring = __atomic_fetch_add(&buffer.left->turn, 1, __ATOMIC_RELAXED) % buffer.ring_used;
    if (take(buffer, ring, tid))
      return ring;
  }
  return kNoPlace;
}

} // namespace

uint32_t take_ring(Buffer &buffer, int32_t tid) {
  uint32_t ring = take_ended(buffer, tid);
  if (ring == kNoPlace)
    ring = take_fresh(buffer, tid);
  if (ring == kNoPlace)
    ring = take_by_turns(buffer, tid);
  return ring == kNoPlace ? kRingCount : ring;
}

// A fork child's first thread does not look at the queue, whose pages are still untouched.
uint32_t pop_left(const Buffer &buffer) {
  if (!__atomic_load_n(&buffer.left->any, __ATOMIC_RELAXED))
    return kNoPlace;
  uint32_t ring = pop_place(&buffer.left_queue->ended);
  if (ring != kNoPlace)
    __atomic_store_n(&buffer.left_queue->is_left[ring], 0, __ATOMIC_RELAXED);
  return ring;
}

void put_left(Buffer &buffer, uint32_t ring) {
  LeftQueue *left = buffer.left_queue;
  __atomic_store_n(&buffer.left->any, 1, __ATOMIC_RELAXED);
  if (__atomic_exchange_n(&left->is_left[ring], 1, __ATOMIC_RELAXED))
    return;
  if (!push_place(&left->ended, ring))
    // If it is full, the ring is found by turns.
    __atomic_store_n(&left->is_left[ring], 0, __ATOMIC_RELAXED);
}

uint64_t inherited_subbuf(const Buffer &buffer) {
  uint64_t ring = (uint64_t)(nophook_writer - buffer.writers);
  return ring < kRingCount ? *(buffer.written_to - ring) : 0;
}

void adopt_ring(Buffer &buffer, Writer *w) {
  if (is_vfork_child())
    return;
  if (w->tid != own_thread_id()) {
    if (w->subbuf)
      leave_subbuf(buffer, w);
    w->tid = own_thread_id();
    __atomic_store_n(&buffer.rings[w->ring].tid, w->tid, __ATOMIC_RELEASE);
  }
  w->owned = kOwned;
}

// In a vfork child the ring is the parent thread's, which continues.
void leave_ring(Buffer &buffer) {
  if (!buffer_is_open(buffer))
    return;
  BlockSignals block;
  Writer *w = buffer.number ? own_ring_writer(buffer) : nophook_writer;
  if (!w || !w->owned || is_vfork_child())
    return;
  if (w->subbuf)
    leave_subbuf(buffer, w);
  // Otherwise the thread that takes its last sub-buffer puts it there: let_go().
  if (!buffer_overwrites(buffer) ||
      __atomic_fetch_or(&w->kept.held, kRingLeft, __ATOMIC_ACQ_REL) % kRingLeft == 0)
    put_left(buffer, w->ring);
}

} // namespace nophook
