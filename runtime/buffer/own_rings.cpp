// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of tables; a thread that has none takes one from the queue, or by turns.

#include "buffer/own_rings.h"

#include "base/own_identity.h"
#include "base/signals.h"
#include "base/wiped_pages.h"

namespace nophook {

constinit thread_local OwnRings *g_own_rings __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

struct Pool {
  PlaceQueue free;
  uint32_t fresh; // tables from this one on have never been used
  uint32_t turn;  // a counter for the search by turns, with any value
  OwnRings tables[kRingCount];
};
Pool *g_pool = nullptr;

bool take(OwnRings *table, int32_t before, int32_t tid) {
  return __atomic_compare_exchange_n(&table->tid, &before, tid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

OwnRings *take_fresh(int32_t tid) {
  uint32_t i = __atomic_load_n(&g_pool->fresh, __ATOMIC_RELAXED);
  while (i < kRingCount)
    if (__atomic_compare_exchange_n(&g_pool->fresh, &i, i + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return take(&g_pool->tables[i], 0, tid) ? &g_pool->tables[i] : nullptr;
  return nullptr;
}

// Takes a table of a thread that has ended without giving it back. If a table has our own tid, an
// earlier thread of that number has left it.
OwnRings *take_by_turns(int32_t tid) {
  constexpr uint32_t kTurns = 16;
  for (uint32_t look = 0; look < kTurns; look++) {
    OwnRings *table =
        &g_pool->tables[__atomic_fetch_add(&g_pool->turn, 1, __ATOMIC_RELAXED) % kRingCount];
    int32_t before = __atomic_load_n(&table->tid, __ATOMIC_RELAXED);
    if (!before || before == tid ? take(table, before, tid)
                                 : take_from_gone(&table->tid, before, tid))
      return table;
  }
  return nullptr;
}

OwnRings *take_any(int32_t tid) {
  uint32_t free = pop_place(&g_pool->free);
  if (free != kNoPlace && take(&g_pool->tables[free], 0, tid))
    return &g_pool->tables[free];
  OwnRings *table = take_fresh(tid);
  return table ? table : take_by_turns(tid);
}

} // namespace

Status prepare_own_rings() {
  if (g_pool)
    return {};
  void *pool;
  NOPHOOK_TRY(map_wiped(sizeof(Pool), "no memory for the threads' rings in instances", &pool));
  g_pool = static_cast<Pool *>(pool);
  return {};
}

bool keep_own_ring(const Buffer &buffer, uint32_t ring) {
  OwnRings *own = g_own_rings;
  if (!own || !own->tid) { // in a fork child the table is zeroed
    own = take_any(lasting_thread_id());
    if (!own)
      return false;
    for (uint64_t &kept : own->ring)
      kept = 0;
    g_own_rings = own;
  }
  own->ring[buffer.number - 1] = buffer.generation << kRingBits | ring;
  return true;
}

void leave_own_rings() {
  BlockSignals block;
  OwnRings *own = g_own_rings;
  if (!own || !own->tid || is_vfork_child())
    return;
  g_own_rings = nullptr; // cleared first: from then on the table is another thread's
  __atomic_store_n(&own->tid, 0, __ATOMIC_RELEASE);
  push_place(&g_pool->free, (uint32_t)(own - g_pool->tables));
}

} // namespace nophook
