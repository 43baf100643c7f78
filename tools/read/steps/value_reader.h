// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes behind an event (nophook/buffer.h, "Values"), taken from the front.

#pragma once

#include <nophook/buffer.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nophook {

class ValueReader {
public:
  explicit ValueReader(std::span<const uint64_t> words) {
    bytes_.reserve(words.size() * NOPHOOK_VALUES_PER_WORD);
    for (uint64_t word : words)
      for (unsigned i = 0; i < NOPHOOK_VALUES_PER_WORD; i++)
        bytes_.push_back((uint8_t)(~word >> 8 * i));
  }

  // Each function returns false if there are not enough bytes.
  bool byte(uint8_t *value) {
    std::span<const uint8_t> one;
    if (!take(1, &one))
      return false;
    *value = one[0];
    return true;
  }
  bool take(uint64_t count, std::span<const uint8_t> *bytes) {
    if (count > bytes_.size() - at_)
      return false;
    *bytes = std::span(bytes_).subspan(at_, count);
    at_ += count;
    return true;
  }
  bool uleb(uint64_t *value) { return leb(false, value); }
  bool sleb(uint64_t *value) { return leb(true, value); }

private:
  bool leb(bool is_signed, uint64_t *value) {
    *value = 0;
    uint8_t byte;
    for (unsigned shift = 0; shift < 64 && this->byte(&byte); shift += 7) {
      *value |= (uint64_t)(byte & 0x7f) << shift;
      if (byte & 0x80)
        continue;
      if (is_signed && byte & 0x40 && shift + 7 < 64)
        *value |= ~uint64_t{0} << (shift + 7);
      return true;
    }
    return false;
  }

  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
};

} // namespace nophook
