// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer/own_rings.h"

#include "base/wiped_pages.h"
#include "buffer/claim.h"

namespace nophook {

constinit thread_local OwnRings *g_own_rings __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

OwnRings *g_pool = nullptr;

// A table of this very tid is one that a thread before us has left.
OwnRings *take_any(int32_t tid) {
  static uint32_t turn = 0;
  Claim claim = claim_place(
      kRingCount, tid, &turn, [](uint32_t i) { return &g_pool[i].tid; },
      [=](uint32_t, int32_t owner) { return owner == tid || is_gone(owner); });
  return claim.index < kRingCount ? &g_pool[claim.index] : nullptr;
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
