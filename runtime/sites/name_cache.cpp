// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of answers: a search by the lengths of 63 patterns takes less time than the change that
// follows.

#include "sites/name_cache.h"

#include "base/memory.h"

namespace nophook {

const CachedPattern *recall_pattern(const NameCache *cache, const char *pattern) {
  if (!cache)
    return nullptr;
  uint64_t bytes = text_length(pattern);
  for (const CachedPattern &known : cache->patterns)
    if (known.bytes == bytes && bytes && equal_bytes(known.pattern, pattern, bytes))
      return &known;
  return nullptr;
}

void remember_pattern(NameCache **cache, const char *pattern, const uint32_t *index,
                      uint32_t count) {
  uint64_t bytes = text_length(pattern);
  if (bytes > kCachedBytes || count > kCachedMatches)
    return;
  if (!*cache && !(*cache = static_cast<NameCache *>(map_pages(sizeof(NameCache)))))
    return;
  CachedPattern &slot = (*cache)->patterns[(*cache)->next];
  (*cache)->next = ((*cache)->next + 1) % kCachedPatterns;
  slot.bytes = (uint32_t)bytes;
  slot.count = count;
  copy_bytes(slot.pattern, pattern, bytes);
  for (uint32_t i = 0; i < count; i++)
    slot.index[i] = index[i];
}

void drop_name_cache(NameCache **cache) {
  unmap_pages(*cache, sizeof(NameCache));
  *cache = nullptr;
}

} // namespace nophook
