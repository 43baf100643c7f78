// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash of a name, eight bytes at a time. Nothing depends on its values.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace nophook {

inline uint64_t hash_text(const char *text, size_t bytes, uint64_t seed = 0) {
  uint64_t hash = seed ^ bytes * 0x9e3779b97f4a7c15;
  auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  };
  uint64_t word;
  for (; bytes >= sizeof word; text += sizeof word, bytes -= sizeof word) {
    __builtin_memcpy(&word, text, sizeof word);
    mix(word);
  }
  word = 0;
  for (size_t i = 0; i < bytes; i++)
    word |= (uint64_t)(unsigned char)text[i] << 8 * i;
  mix(word);
  return hash;
}

inline uint64_t hash_number(const char *digits, size_t bytes) {
  return hash_text(digits, bytes, 0x6e756d626572);
}

} // namespace nophook
