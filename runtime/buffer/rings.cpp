// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ring a thread writes to. Rings are given back by a recorder. Where none is there, 8192
// threads would be all that a process may ever have: so when no ring is free, that of a thread that
// is gone is taken over, if nothing that it wrote is left. A recorder takes part: it gives one back
// by a CAS, too.

#include "buffer/buffer.h"
#include "buffer/claim.h"

namespace nophook {
namespace {

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
  if (buffer_overwrites(buffer))
    return oldest_of(buffer, ring) ||
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

} // namespace

uint32_t take_ring(Buffer &buffer, int32_t tid) {
  static uint32_t turn = 0;
  Claim claim = claim_place(
      kRingCount, tid, &turn, [&](uint32_t i) { return &buffer.rings[i].tid; },
      [&](uint32_t i, int32_t owner) { return is_gone(owner) && !holds_any(buffer, i, owner); });
  if (claim.before)
    keep_counts(buffer, &buffer.rings[claim.index]);
  if (claim.index < kRingCount)
    begin(buffer, claim.index);
  return claim.index;
}

} // namespace nophook
