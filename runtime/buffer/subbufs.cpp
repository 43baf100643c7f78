// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the next sub-buffer for a thread: a free one, or, if the buffer overwrites, the oldest of
// all threads. The states, and what may change each: include/nophook/buffer.h.
//
// Runs in the slow path of an event, with signals blocked; against other threads it uses
// compare-and-exchange alone.

#include "base/log.h"
#include "base/memory.h"
#include "base/take_pages.h"
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
  if (sys_failed(
          take_pages(reinterpret_cast<char *>(subbuf_at(buffer, index)) + had, bytes - had))) {
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
        if (buffer_overwrites(buffer))
          drop_age(buffer.ages, i); // a reader has taken it from a thread that is gone
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

struct Taken {
  uint32_t index = kNoSubbuf;
  uint64_t time = 0; // time of its last event
};

// Empties a sub-buffer. Readers that are copying its events first see that it is being recycled.
// Behind `used` all words are 0. A `used` of 0 comes from a reader that was killed while it zeroed
// the sub-buffer.
void empty(Buffer &buffer, uint32_t index, nophook_subbuf *subbuf) {
  const uint64_t most = readable_bytes(buffer, index) - sizeof(nophook_subbuf);
  __atomic_store_n(&subbuf->seq, NOPHOOK_SEQ_NONE, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  const uint64_t used = __atomic_load_n(&subbuf->used, __ATOMIC_RELAXED);
  auto *words = reinterpret_cast<uint64_t *>(subbuf + 1);
  const uint64_t bytes = used && used < most ? used : most;
  for (uint64_t i = 0; i < bytes / 8; i++)
    __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
}

// Claims a sub-buffer. A reader that takes a sub-buffer of a thread that is gone
// (tools/process/drain/process_drain.cpp) changes its `tid` to 0, too: one of the two gets it. The
// state keeps take_back_cleared() away. The number is loaded first: when it is exchanged, it may be
// that of a new owner (test/litmus/claims.py).
bool claim(Buffer &buffer, uint32_t index, nophook_subbuf *subbuf) {
  int32_t tid = __atomic_load_n(&subbuf->tid, __ATOMIC_RELAXED);
  uint32_t full = NOPHOOK_SUBBUF_FULL;
  return tid &&
         __atomic_compare_exchange_n(&buffer.states[index], &full, NOPHOOK_SUBBUF_ACTIVE, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) &&
         __atomic_compare_exchange_n(&subbuf->tid, &tid, 0, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

// Takes the oldest sub-buffer. Its ring is let go only when readers cannot find its events any
// more: the ring may be another thread's then.
Taken take_one(Buffer &buffer) {
  Taken taken;
  const uint32_t end = buffer.header->subbuf_used;
  while ((taken.index = take_oldest(buffer.ages, end, &taken.time)) != kNoAge) {
    nophook_subbuf *subbuf = subbuf_at(buffer, taken.index);
    if (!claim(buffer, taken.index, subbuf))
      continue;
    const uint32_t ring = subbuf->ring;
    empty(buffer, taken.index, subbuf);
    let_go(buffer, ring);
    break;
  }
  return taken;
}

// Sub-buffers beyond the buffer's size are given up on the way, some at a time, except the last one
// that is found: without it the thread could not write at all.
__attribute__((noinline)) uint32_t overwrite_oldest(Buffer &buffer, const Writer *w,
                                                    uint32_t most) {
  constexpr uint32_t kMostReleased = 8, kMostLooks = 16;
  end_waiting(buffer, w->ring); // if a handler has filled the whole buffer, no other thread does it
  Taken found = take_one(buffer);
  if (found.index == kNoSubbuf) {
    leave_for_others(buffer, w->ring, ~uint64_t{0}, kMostLooks);
    found = take_one(buffer);
  } else {
    leave_for_others(buffer, w->ring, found.time, 1); // prepares the next search
  }
  for (uint32_t i = 0; i < kMostReleased && found.index != kNoSubbuf && found.index >= most; i++) {
    Taken next = take_one(buffer);
    if (next.index == kNoSubbuf)
      break;
    release_subbuf(buffer, found.index);
    found = next;
  }
  return found.index;
}

} // namespace

bool back_whole(Buffer &buffer, uint32_t index) {
  return back(buffer, index, NOPHOOK_SUBBUF_BYTES);
}

uint32_t next_subbuf(Buffer &buffer, Writer *w) {
  const uint32_t most = __atomic_load_n(&buffer.most, __ATOMIC_RELAXED);
  uint32_t found = take_free(buffer, most, w->full_at);
  if (found == kNoSubbuf && buffer_overwrites(buffer)) {
    found = overwrite_oldest(buffer, w, most);
    if (found == kNoSubbuf)
      __atomic_store_n(&buffer.process->starves, 1, __ATOMIC_RELAXED);
  }
  if (found != kNoSubbuf && buffer.gave_up_waiting)
    __atomic_store_n(&buffer.gave_up_waiting, 0, __ATOMIC_RELAXED);
  return found;
}

} // namespace nophook
