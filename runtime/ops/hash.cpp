// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole words where a range allows it.

#include "ops/hash.h"

namespace nophook {

void hash_set_range(FtraceHash *hash, uint32_t first, uint32_t count, bool value) {
  uint32_t end = first + count;
  while (first < end && (first % 64 || end - first < 64))
    hash_set(hash, first++, value);
  for (; end - first >= 64; first += 64)
    hash->words[first / 64] = value ? ~uint64_t{0} : 0;
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
