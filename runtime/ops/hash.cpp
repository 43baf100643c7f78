// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of functions as bits; whole words where a range allows it.

#include "ops/hash.h"

namespace nophook {

// The number of spare hashes: enough for the small ones that wait for a grace period together, and
// those of one change.
static constexpr uint32_t kSpareHashes = 24, kLargeSpareHashes = 8;
static constexpr uint64_t kLargeBytes = 32 << 10;
static FtraceHash *g_spare[kSpareHashes];

FtraceHash *new_hash(uint32_t ids) {
  ids = (uint32_t)round_up(ids, 64);
  for (FtraceHash *&spare : g_spare)
    if (spare && spare->ids == ids) {
      FtraceHash *hash = spare;
      spare = nullptr;
      hash_set_range(hash, 0, ids, false);
      return hash;
    }
  auto *hash = static_cast<FtraceHash *>(map_pages(hash_bytes(ids)));
  if (hash)
    hash->ids = ids;
  return hash;
}

void free_hash(FtraceHash *hash) {
  if (!hash)
    return;
  uint32_t room = hash_bytes(hash->ids) > kLargeBytes ? kLargeSpareHashes : kSpareHashes;
  for (uint32_t i = 0; i < room; i++)
    if (!g_spare[i]) {
      g_spare[i] = hash;
      return;
    }
  // Hashes of sizes that are no longer asked for are of no use: the oldest one goes.
  FtraceHash *oldest = g_spare[0];
  for (uint32_t i = 1; i < room; i++)
    g_spare[i - 1] = g_spare[i];
  g_spare[room - 1] = hash;
  unmap_pages(oldest, hash_bytes(oldest->ids));
}

void hash_set_range(FtraceHash *hash, uint32_t first, uint32_t count, bool value) {
  uint32_t end = first + count;
  while (first < end && (first % 64 || end - first < 64))
    hash_set(hash, first++, value);
  for (; end - first >= 64; first += 64)
    __atomic_store_n(&hash->words[first / 64], value ? ~uint64_t{0} : 0, __ATOMIC_RELAXED);
  while (first < end)
    hash_set(hash, first++, value);
}

bool hash_is_empty(const FtraceHash *hash) {
  for (uint32_t word = 0; hash && word < hash->ids / 64; word++)
    if (hash->words[word])
      return false;
  return true;
}

} // namespace nophook
