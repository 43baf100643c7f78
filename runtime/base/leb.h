// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in as many bytes as they need: DWARF's LEB128. Ten bytes are always enough.

#pragma once

#include <stdint.h>

namespace nophook {

// They return where the next byte goes.
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

} // namespace nophook
