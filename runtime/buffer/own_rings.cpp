// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer/own_rings.h"

#include "base/wiped_pages.h"

namespace nophook {

constinit thread_local OwnRings *g_own_rings __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

OwnRings *g_pool = nullptr;

bool take(OwnRings *own, int32_t from, int32_t tid) {
  return __atomic_compare_exchange_n(&own->tid, &from, tid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

// A free one, or that of a thread that is gone; of these some are looked at, in turns.
OwnRings *take_any(int32_t tid) {
  constexpr uint32_t kLooks = 16;
  static uint32_t turn = 0; // any value will do
  for (OwnRings *own = g_pool; own < g_pool + kRingCount; own++)
    if (__atomic_load_n(&own->tid, __ATOMIC_RELAXED) == 0 && take(own, 0, tid))
      return own;
  auto pid = (int32_t)sys(SYS_getpid);
  for (uint32_t look = 0; look < kLooks; look++) {
    OwnRings *own = &g_pool[__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) % kRingCount];
    int32_t owner = __atomic_load_n(&own->tid, __ATOMIC_RELAXED);
    if ((owner == tid || sys(SYS_tgkill, pid, owner, 0) == -ESRCH) && take(own, owner, tid))
      return own;
  }
  return nullptr;
}

} // namespace

Status prepare_own_rings() {
  constexpr uint64_t kBytes = kRingCount * sizeof(OwnRings);
  if (g_pool)
    return {};
  void *pool;
  NOPHOOK_TRY(map_wiped(kBytes, "no memory for the threads' rings in instances", &pool));
  g_pool = static_cast<OwnRings *>(pool);
  return {};
}

bool keep_own_ring(const Buffer &buffer, uint32_t ring) {
  OwnRings *own = g_own_rings;
  if (!own || !own->tid) { // in a fork child it has been zeroed
    own = take_any((int32_t)sys(SYS_gettid));
    if (!own)
      return false;
    for (uint64_t &kept : own->ring)
      kept = 0;
    g_own_rings = own;
  }
  own->ring[buffer.number - 1] = buffer.generation << kRingBits | ring;
  return true;
}

} // namespace nophook
