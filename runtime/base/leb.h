// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in as many bytes as they need: DWARF's LEB128. Ten bytes are always enough.

#pragma once

#include "base/bytes.h"

#include <stdint.h>

namespace nophook {

constexpr unsigned kLebBytes = 10;

// Both return the address where the next byte goes.
inline uint8_t *put_uleb(uint8_t *at, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
}

inline uint8_t *put_sleb(uint8_t *at, uint64_t value) {
  auto rest = (int64_t)value;
  for (; rest < -64 || rest > 63; rest >>= 7)
    *at++ = (uint8_t)(rest | 0x80);
  *at++ = (uint8_t)(rest & 0x7f);
  return at;
}

// The same bytes, without a loop for a number that fits into eight of them, as an address does. At
// least ten bytes at `at` are the caller's, and those behind the number become anything.
inline uint8_t *put_sleb_at_once(uint8_t *at, uint64_t value) {
  const uint64_t size = value ^ (uint64_t)((int64_t)value >> 63); // the number without its sign
  if (size >> 55)
    return put_sleb(at, value);
  // Bits of the number, with one for the sign.
  const uint32_t bits = 64 - (uint32_t)__builtin_clzll(size << 1 | 1);
  const uint32_t bytes = (bits + 6) / 7;
  // Groups of seven bits, each to a byte of its own: halves, quarters, eighths.
  uint64_t word = value & 0x00ffffffffffffff;
  word = (word & 0x000000000fffffff) | (word & 0x00fffffff0000000) << 4;
  word = (word & 0x00003fff00003fff) | (word & 0x0fffc0000fffc000) << 2;
  word = (word & 0x007f007f007f007f) | (word & 0x3f803f803f803f80) << 1;
  const uint64_t behind = ~uint64_t{0} << 8 * (bytes - 1); // the last byte has no continuation bit
  store_word(at, word | (0x8080808080808080 & ~behind));
  return at + bytes;
}

} // namespace nophook
