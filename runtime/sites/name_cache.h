// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of a module's symbol table: a pattern, and the few functions that it matched.
//
// If a client turns one function on and off by its name, the file would be read each time. That
// costs several times as much as changing the site. So the last patterns are kept, in two pages for
// each module that was searched; they go with the module.

#pragma once

#include "base/bytes.h"

#include <stdint.h>

namespace nophook {

constexpr uint32_t kCachedMatches = 4;
constexpr uint32_t kCachedBytes = 104;
constexpr uint32_t kCachedPatterns = 2 * kPageBytes / 128 - 1;

struct CachedPattern {
  uint32_t bytes; // length of the pattern; 0: the entry is free
  uint32_t count;
  uint32_t index[kCachedMatches]; // the records that matched
  char pattern[kCachedBytes];
};
static_assert(sizeof(CachedPattern) == 128);

struct NameCache {
  uint32_t next; // the entry that is replaced next
  uint32_t reserved[31];
  CachedPattern patterns[kCachedPatterns];
};

// The answer to `pattern`; null: it is not known.
const CachedPattern *recall_pattern(const NameCache *cache, const char *pattern);

// Keeps an answer. Without memory for the cache, and for a long pattern, no answer is kept.
void remember_pattern(NameCache **cache, const char *pattern, const uint32_t *index,
                      uint32_t count);

void drop_name_cache(NameCache **cache);

} // namespace nophook
