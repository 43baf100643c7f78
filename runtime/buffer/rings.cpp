// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ring a thread writes to. Threads end without a word to us, and rings are given back by a
// recorder. Where none is there, 8192 threads would be all that a process may ever have: so when no
// ring is free, that of a thread that is gone is taken over, if nothing that it wrote is left.
//
// In the slow path of an event, signals blocked, against other threads that look for one, and a
// recorder that gives one back: who changes the ring's tid by a CAS has it.

#include "base/syscall.h"
#include "buffer/buffer.h"

#include <errno.h>

namespace nophook {
namespace {

bool take(Buffer &buffer, uint32_t ring, int32_t from, int32_t tid) {
  return __atomic_compare_exchange_n(&buffer.rings[ring].tid, &from, tid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

void begin(Buffer &buffer, uint32_t index) {
  nophook_ring &ring = buffer.rings[index];
  ring.subbufs = 0;
  ring.lost = 0;
  ring.consumed = 0;
  ring.overwritten = 0;
  ring.clears = buffer.header->clears;
  buffer.chains[index] = Chain{};
}

// Whether there is a sub-buffer that the thread has written to.
bool holds_any(const Buffer &buffer, uint32_t ring, int32_t tid) {
  if (buffer.full == NOPHOOK_FULL_OVERWRITE)
    return __atomic_load_n(&buffer.chains[ring].oldest, __ATOMIC_ACQUIRE) ||
           __atomic_load_n(&buffer.writers[ring].subbuf, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < buffer.header->subbuf_used; i++) {
    const nophook_subbuf *subbuf = subbuf_at(buffer, i);
    if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) != NOPHOOK_SUBBUF_FREE &&
        subbuf->ring == ring && subbuf->tid == tid)
      return true;
  }
  return false;
}

// What the thread that is gone has lost stays counted.
void keep_counts(Buffer &buffer, nophook_ring *ring) {
  follow_clears(buffer, ring);
  __atomic_fetch_add(&buffer.header->lost, ring->lost, __ATOMIC_RELAXED);
  __atomic_fetch_add(&buffer.header->overwritten, ring->overwritten, __ATOMIC_RELAXED);
}

// Some at a time, in turns: an event of a thread that finds none comes here again.
uint32_t take_over(Buffer &buffer, int32_t tid) {
  constexpr uint32_t kLooks = 16;
  static uint32_t turn = 0; // any value will do
  auto pid = (int32_t)sys(SYS_getpid);
  for (uint32_t look = 0; look < kLooks; look++) {
    uint32_t i = __atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) % kRingCount;
    int32_t owner = __atomic_load_n(&buffer.rings[i].tid, __ATOMIC_RELAXED);
    if (!owner || sys(SYS_tgkill, pid, owner, 0) != -ESRCH || holds_any(buffer, i, owner) ||
        !take(buffer, i, owner, tid))
      continue;
    keep_counts(buffer, &buffer.rings[i]);
    return i;
  }
  return kRingCount;
}

} // namespace

uint32_t take_ring(Buffer &buffer, int32_t tid) {
  uint32_t ring = 0;
  while (ring < kRingCount && !(__atomic_load_n(&buffer.rings[ring].tid, __ATOMIC_RELAXED) == 0 &&
                                take(buffer, ring, 0, tid)))
    ring++;
  if (ring == kRingCount)
    ring = take_over(buffer, tid);
  if (ring < kRingCount)
    begin(buffer, ring);
  return ring;
}

} // namespace nophook
