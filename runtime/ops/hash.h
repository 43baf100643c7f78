// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// struct ftrace_hash: a set of functions. Functions have numbers (ids) in a row, so the set is
// a bit for each: a test is one load whether it hits or misses, the difference between two sets
// is an xor, and a set of all functions needs no special case.
//
// A set that callbacks may read is never changed but replaced: these functions write to a copy that
// no other thread has seen yet. (One exception: the ids of a module that is gone are taken out.)

#pragma once

#include "base/memory.h"

#include <stdint.h>

// The name is the public header's.
struct ftrace_hash {
  uint32_t ids; // number of ids that it has room for, a multiple of 64
  uint32_t reserved;
  uint64_t words[];
};

namespace nophook {

using FtraceHash = ::ftrace_hash;

inline uint64_t hash_bytes(uint32_t ids) {
  return sizeof(FtraceHash) + ids / 8;
}

// An empty set with room for `ids` functions; null without memory. The last few that were given
// back are kept: asking the kernel for pages costs as much as changing a site. Under the
// runtime's lock, both.
FtraceHash *new_hash(uint32_t ids);
void free_hash(FtraceHash *hash);

// The bits of the 64 functions from id 64 * `word` on. Without a hash, and behind its room, they
// are 0.
inline uint64_t hash_word(const FtraceHash *hash, uint32_t word) {
  return hash && word < hash->ids / 64 ? hash->words[word] : 0;
}

// Whether the set has the function. Callbacks may call it, too: an unloaded module's functions are
// removed at the same time.
inline bool hash_has(const FtraceHash *hash, uint32_t id) {
  return hash && id / 64 < hash->ids / 64 &&
         __atomic_load_n(&hash->words[id / 64], __ATOMIC_RELAXED) >> id % 64 & 1;
}

inline void hash_set(FtraceHash *hash, uint32_t id, bool value) {
  uint64_t bit = uint64_t{1} << id % 64;
  uint64_t &word = hash->words[id / 64];
  __atomic_store_n(&word, (word & ~bit) | (value ? bit : 0), __ATOMIC_RELAXED);
}

// Sets `count` functions from `first` on.
void hash_set_range(FtraceHash *hash, uint32_t first, uint32_t count, bool value);

bool hash_is_empty(const FtraceHash *hash);

} // namespace nophook
